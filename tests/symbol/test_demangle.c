/* SPDX-License-Identifier: MIT */
/* Names of C++ are written out, but for those that would take too long or too much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <unistd.h>

#include "base/limits.h"
#include "symbol/demangle.h"
#include "symbol/mangled.h"

/* One of each kind of part that the reader knows. */
static const struct {
	const char *name, *written;
} known[] = {
	{ "_Z1fv", "f()" },
	{ "_Z1fPKci", "f(char const*, int)" },
	{ "_ZN1a1b1cEi", "a::b::c(int)" },
	{ "_ZNK1a1bcvPKcEv", "a::b::operator char const*() const" },
	{ "_ZN1aC2ERKS_", "a::a(a const&)" },
	{ "_ZN1aD0Ev", "a::~a()" },
	{ "_ZNSsC1Ev", "std::basic_string<char, std::char_traits<char>, std::allocator<char> "
		       ">::basic_string()" },
	{ "_ZNSt6vectorIiSaIiEE9push_backEOi",
	  "std::vector<int, std::allocator<int> >::push_back(int&&)" },
	{ "_Z1fI1aEvT_", "void f<a>(a)" },
	{ "_Z1fIJidEEvDpOT_", "void f<int, double>(int&&, double&&)" },
	{ "_Z1fILi4ELb1EEvv", "void f<4, true>()" },
	{ "_Z1fIXadL_Z1gvEEEvv", "void f<&(g())>()" },
	{ "_ZZ1fvE1x_0", "f()::x" },
	{ "_ZZ1fiEs", "f(int)::string literal" },
	{ "_ZZ1fvENKUliT_E_clIcEEDaiS_", NULL },
	{ "_ZZ1fvENKUlvE0_clEv", "f()::{lambda()#2}::operator()() const" },
	{ "_ZN12_GLOBAL__N_11gEv", "(anonymous namespace)::g()" },
	{ "_Z1fB5cxx11M1aFviEA4_i", "f[abi:cxx11](void (a::*)(int), int [4])" },
	{ "_Z1fPVDv4_fPFvvEDn", NULL },
	{ "_ZTVN1a1bE", "vtable for a::b" },
	{ "_ZThn16_N1a1bEv", "non-virtual thunk to a::b()" },
	{ "_ZTv0_n24_N1a1bEv", "virtual thunk to a::b()" },
	{ "_ZTC1a0_1b", "construction vtable for b-in-a" },
	{ "_ZGVZ1fvE1x", "guard variable for f()::x" },
	{ "_Zli3_kmy", "operator\"\" _km(unsigned long long)" },
	{ "_ZlsRSoRK1a", "operator<<(std::ostream&, a const&)" },
	{ "_Z1fv.part.0", "f() [clone .part.0]" },
	/* The third reference is to pair<int, int>, not to pair. */
	{ "_Z1fSt4pairIiiES_IS0_S0_E",
	  "f(std::pair<int, int>, std::pair<std::pair<int, int>, std::pair<int, int> >)" },
};

static void names_are_written_out(void **state)
{
	struct pms_demangler d = { 0 };
	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint64_t cost = pms_mangled_cost(known[i].name);
		char *written = pms_demangle(&d, known[i].name);
		if (!d.demangle)
			skip(); /* no libstdc++.so.6 here */
		if (known[i].written && (!written || strcmp(written, known[i].written) != 0))
			fail_msg("%s: %s", known[i].name, written ? written : "as it was");
		if (written && (cost == PMS_MANGLED_UNREAD || cost < strlen(written)))
			fail_msg("%s: %llu", known[i].name, (unsigned long long)cost);
		free(written);
	}
	pms_demangler_release(&d);
}

/* Names that the library never comes to an end with, or only after very much; and damaged ones. */
static const char *const refused[] = {
	"_Z1fIXsr3stdU",
	"_Z1fIXsr3std1aIiEU1aE",
	"_Z1fIT_EvT_",
	"_Z1fS_",
	"_Z1fSt4pairIiiES_IS9_S0_E",
	"_Z99f",
	"_Z1fI",
	"_Z",
	"_ZN",
	"_ZN1a",
	"_Z18446744073709551617f",
	"_Z1fSZZZZZZZZZZZZZZZZ_",
	"f",
	"",
};

static void other_names_stay_as_they_are(void **state)
{
	struct pms_demangler d = { 0 };
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		char *written = pms_demangle(&d, refused[i]);
		if (written)
			fail_msg("%s: %s", refused[i], written);
	}
	pms_demangler_release(&d);
}

/* Where part @number is meant. */
static void reference(char *to, unsigned number)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char text[8] = "S_";
	if (number && number <= 36)
		snprintf(text, sizeof(text), "S%c_", digits[number - 1]);
	else if (number)
		snprintf(text, sizeof(text), "S%c%c_", digits[(number - 1) / 36],
			 digits[(number - 1) % 36]);
	strcat(to, text);
}

/* pair<X, X> of the one before, each twice as long: part 0 is std::pair, 1 pair<int, int>. */
static void put_pairs(char *name, unsigned levels)
{
	strcpy(name, "_Z1fSt4pairIiiE");
	for (unsigned i = 1; i <= levels; i++) {
		strcat(name, "S_I");
		reference(name, i);
		reference(name, i);
		strcat(name, "E");
	}
}

/* 26 levels would be 4 GiB. */
static void names_that_explode_stay_as_they_are(void **state)
{
	struct pms_demangler d = { 0 };
	char name[1024];
	(void)state;
	for (unsigned levels = 1; levels < 60; levels++) {
		put_pairs(name, levels);
		char *written = pms_demangle(&d, name);
		if (written && strlen(written) > PMS_MOST_DEMANGLED)
			fail_msg("%u levels: %zu", levels, strlen(written));
		if (written && pms_mangled_cost(name) < strlen(written))
			fail_msg("%u levels: %zu, said to be less", levels, strlen(written));
		if (d.demangle && !written && levels < 10)
			fail_msg("%u levels: as it was", levels);
		if (written && levels >= 20)
			fail_msg("%u levels: written out", levels);
		free(written);
	}
	pms_demangler_release(&d);
}

/* A template's argument stands for all of the pack in which it is repeated: n times n. */
static void packs_of_packs_stay_as_they_are(void **state)
{
	struct pms_demangler d = { 0 };
	char name[1024] = "_Z1fIJ";
	(void)state;
	for (int i = 0; i < 400; i++)
		strcat(name, "i");
	strcat(name, "EEvDpF");
	for (int i = 0; i < 100; i++)
		strcat(name, "T_");
	strcat(name, "E");
	uint64_t cost = pms_mangled_cost(name);
	char *written = pms_demangle(&d, name);
	assert_true(cost >= (written ? strlen(written) : 0));
	free(written);
	pms_demangler_release(&d);
}

static void all_names_together_are_bounded(void **state)
{
	struct pms_demangler d = { 0 };
	char name[1024];
	uint64_t bytes = 0, written_bytes = 0;
	(void)state;
	for (unsigned levels = 1; levels < 20; levels++) {
		char longer[sizeof(name)];
		put_pairs(longer, levels);
		if (pms_mangled_cost(longer) <= PMS_MOST_DEMANGLED)
			strcpy(name, longer);
	}
	for (int i = 0; i < 1000; i++) {
		char *written = pms_demangle(&d, name);
		bytes += strlen(name);
		written_bytes += written ? strlen(written) : 0;
		free(written);
	}
	if (!d.demangle)
		skip();
	assert_true(written_bytes > PMS_FREE_DEMANGLED / 2);
	assert_true(written_bytes <=
		    PMS_FREE_DEMANGLED + PMS_MOST_DEMANGLED + PMS_MOST_DEMANGLED_TIMES * bytes);
	pms_demangler_release(&d);
}

struct tally {
	size_t names, unread, longer;
};

static void look_at(struct pms_demangler *d, const char *name, struct tally *tally)
{
	int status;
	char *written = strncmp(name, "_Z", 2) ? NULL : d->demangle(name, NULL, NULL, &status);
	if (!written)
		return;
	uint64_t cost = pms_mangled_cost(name);
	tally->names++;
	tally->unread += cost == PMS_MANGLED_UNREAD;
	if (cost < strlen(written))
		fail_msg("%s: %llu, not %zu", name, (unsigned long long)cost, strlen(written));
	tally->longer += cost != PMS_MANGLED_UNREAD && cost > PMS_MOST_DEMANGLED;
	free(written);
}

static void look_at_table(struct pms_demangler *d, Elf *elf, Elf_Scn *section, struct tally *tally)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM)
		return;
	Elf_Data *data = elf_getdata(section, NULL);
	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
		look_at(d, elf_strptr(elf, header.sh_link, symbol.st_name), tally);
}

/* The C++ library itself has thousands of names, made by a real compiler. */
static void real_names_are_read(void **state)
{
	struct pms_demangler d = { 0 };
	struct tally tally = { 0 };
	struct link_map *map = NULL;
	(void)state;
	free(pms_demangle(&d, "_Z1fv"));
	if (!d.demangle || dlinfo(d.library, RTLD_DI_LINKMAP, &map))
		skip();
	elf_version(EV_CURRENT);
	int fd = open(map->l_name, O_RDONLY);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s))
		look_at_table(&d, elf, s, &tally);
	elf_end(elf);
	close(fd);
	assert_true(tally.names > 1000);
	assert_true(tally.unread + tally.longer < tally.names / 100);
	pms_demangler_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_written_out),
		cmocka_unit_test(other_names_stay_as_they_are),
		cmocka_unit_test(names_that_explode_stay_as_they_are),
		cmocka_unit_test(packs_of_packs_stay_as_they_are),
		cmocka_unit_test(all_names_together_are_bounded),
		cmocka_unit_test(real_names_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
