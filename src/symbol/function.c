/* SPDX-License-Identifier: MIT */
#include "symbol/function.h"

#include <elfutils/libdw.h>
#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/name.h"
#include "base/regular.h"
#include "base/status.h"
#include "symbol/demangle.h"
#include "symbol/inflated.h"

/* A look for one name. */
struct search {
	const char *path, *name;
	int fd;
	Elf *elf;
	struct pms_demangler demangler;
	struct pms_nearest nearest;
	char near[128]; /* what it points to */
	size_t n_found; /* at different addresses, clones not among them */
	struct pms_function out;
	int too_many;	  /* 1: more parts than there is room for */
	int picks;	  /* 1: what was found picks an implementation */
	int is_imported;  /* 1: a shared library's */
	size_t n_names;	  /* functions with a name at all */
	char places[200]; /* of those found */
	struct pms_error *err;
};

/* Length of a symbol without what compilers append to the names of clones; the whole when there is
 * nothing of that kind. @is_cold: receives 1 for the part of a function that is jumped to, and
 * never called. */
static size_t base_length(const char *symbol, int *is_cold)
{
	static const char *const marks[] = { ".constprop", ".isra", ".part", ".lto_priv", ".cold" };
	size_t least = strlen(symbol);
	*is_cold = 0;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		const char *at = strstr(symbol, marks[i]);
		char behind = at ? at[strlen(marks[i])] : 0;
		if (!at || (behind && behind != '.'))
			continue;
		*is_cold |= !strcmp(marks[i], ".cold");
		least = (size_t)(at - symbol) < least ? (size_t)(at - symbol) : least;
	}
	return least;
}

/* C++ names are given as they are written, with parameters or without; linkers put the version
 * behind the names of what a shared library is to have. */
static int is_name(struct search *s, const char *symbol)
{
	size_t length = strlen(s->name);
	if (!strncmp(symbol, s->name, length) && (!symbol[length] || symbol[length] == '@'))
		return 1;
	char *written = pms_demangle(&s->demangler, symbol);
	int same = written && !strncmp(written, s->name, length) &&
		   (!written[length] || written[length] == '(');
	free(written);
	return same;
}

static void note_place(struct search *s, uint64_t address, const char *file)
{
	char text[100];
	if (!file[0])
		snprintf(text, sizeof(text), "0x%" PRIx64, address);
	else
		snprintf(text, sizeof(text), "0x%" PRIx64 " of %.60s", address, file);
	pms_name_append(s->places, sizeof(s->places), text);
}

static void offer(struct search *s, const char *symbol)
{
	const char *before = s->nearest.best;
	pms_nearest_offer(&s->nearest, s->name, symbol);
	if (s->nearest.best == before)
		return;
	snprintf(s->near, sizeof(s->near), "%s", symbol);
	s->nearest.best = s->near;
}

/* What a symbol is to the function that is looked for: a clone is called like it, cold parts are
 * jumped to from within. */
enum likeness { OTHER, SAME, CLONE, COLD };

static enum likeness compare(struct search *s, const char *symbol)
{
	char base[4096];
	int is_cold;
	size_t length = base_length(symbol, &is_cold);
	if (!symbol[length] || length >= sizeof(base) || !strcmp(symbol, s->name))
		return is_name(s, symbol) ? SAME : OTHER;
	memcpy(base, symbol, length);
	base[length] = 0;
	if (!is_name(s, base))
		return OTHER;
	return is_cold ? COLD : CLONE;
}

/* Returns 0 where the address is known already. */
static int add_part(struct search *s, const GElf_Sym *symbol)
{
	struct pms_function *out = &s->out;
	for (size_t i = 0; i < out->n_parts; i++)
		if (out->parts[i].address == symbol->st_value)
			return 0;
	if (out->n_parts < PMS_FUNCTION_PARTS)
		out->parts[out->n_parts++] =
			(struct pms_function_part){ symbol->st_value, symbol->st_size };
	else
		s->too_many = 1;
	return 1;
}

/* @file: that local symbols are of, "" where not told */
static void look_at(struct search *s, const GElf_Sym *symbol, const char *name, const char *file)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	if ((type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) || !name[0] ||
	    name[0] == '$')
		return;
	enum likeness likeness = compare(s, name);
	if (symbol->st_shndx == SHN_UNDEF) {
		s->is_imported |= likeness == SAME;
		return;
	}
	s->n_names++;
	if (likeness == OTHER)
		offer(s, name);
	if (likeness == OTHER || likeness == COLD || !add_part(s, symbol) || likeness == CLONE)
		return;
	s->picks |= type == STT_GNU_IFUNC;
	note_place(s, symbol->st_value, GELF_ST_BIND(symbol->st_info) == STB_LOCAL ? file : "");
	s->n_found++;
}

static Elf_Scn *find_section(Elf *elf, Elf64_Word type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return section;
	return NULL;
}

static int damaged(const struct search *s)
{
	return pms_fail_at(s->err, PMS_EPARSE, s->path, 0, 0, "its symbols cannot be read: %s",
			   elf_errmsg(-1));
}

static int search_table(struct search *s)
{
	GElf_Shdr header;
	const char *file = "";
	Elf_Scn *section = find_section(s->elf, SHT_SYMTAB, &header);
	if (!section)
		section = find_section(s->elf, SHT_DYNSYM, &header);
	if (!section || !header.sh_entsize)
		return 0;
	Elf_Data *data = elf_getdata(section, NULL);
	if (!data)
		return damaged(s);
	size_t n = header.sh_size / header.sh_entsize;
	for (size_t i = 0; i < n; i++) {
		GElf_Sym symbol;
		if (!gelf_getsym(data, (int)i, &symbol))
			return damaged(s);
		const char *name = elf_strptr(s->elf, header.sh_link, symbol.st_name);
		if (!name)
			return damaged(s);
		if (GELF_ST_TYPE(symbol.st_info) == STT_FILE)
			file = name;
		else
			look_at(s, &symbol, name, file);
	}
	return 0;
}

static int lowest_code(const struct search *s, uint64_t *lowest)
{
	size_t n;
	int found = 0;
	if (elf_getphdrnum(s->elf, &n))
		return damaged(s);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr header;
		if (!gelf_getphdr(s->elf, (int)i, &header))
			return damaged(s);
		if (header.p_type != PT_LOAD || !(header.p_flags & PF_X) ||
		    (found && header.p_vaddr >= *lowest))
			continue;
		*lowest = header.p_vaddr;
		found = 1;
	}
	return found ? 0 : pms_fail_at(s->err, PMS_EPARSE, s->path, 0, 0, "has no code to load");
}

/* What debug information says of the function. */
struct inlines {
	const struct search *search;
	int is_known; /* it is a function of the program, whether it has code or not */
	size_t count;
};

static int count_one(Dwarf_Die *instance, void *argument)
{
	struct inlines *in = argument;
	(void)instance;
	in->count++;
	return DWARF_CB_OK;
}

static int look_at_die(Dwarf_Die *function, void *argument)
{
	struct inlines *in = argument;
	const char *name = dwarf_diename(function);
	if (!name || strcmp(name, in->search->name) != 0)
		return DWARF_CB_OK;
	in->is_known = 1;
	if (dwarf_func_inline(function))
		dwarf_func_inline_instances(function, count_one, in);
	return DWARF_CB_OK;
}

static void find_inlines(struct inlines *in)
{
	const struct search *s = in->search;
	Dwarf *dwarf = pms_elf_is_bounded(s->elf, s->fd, NULL)
			       ? dwarf_begin_elf(s->elf, DWARF_C_READ, NULL)
			       : NULL;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	while (dwarf && !dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL))
		dwarf_getfuncs(&die, look_at_die, in, 0);
	dwarf_end(dwarf);
}

static int refuse(struct search *s, const char *text)
{
	return pms_fail_at(s->err, PMS_ENAME, s->path, 0, 0, "%.200s %s", s->name, text);
}

static int not_found(struct search *s, const struct inlines *in)
{
	int rc = -PMS_ENAME;
	if (s->is_imported) {
		refuse(s, "is a shared library's: only functions of the program itself can be "
			  "looked at");
	} else if (in->count) {
		refuse(s, "has no code of its own: it was inlined wherever it is called");
		pms_hint(s->err, "name its caller, or build with __attribute__((noinline)) on it");
	} else if (in->is_known) {
		refuse(s, "has no code: the compiler left it out");
		pms_hint(s->err,
			 "name its caller, or build with __attribute__((noinline, used)) on "
			 "it");
	} else if (!s->n_names) {
		refuse(s, "cannot be found: the program has no symbols, it was stripped");
		pms_hint(s->err, "take the program as it was before strip, or give an address, as "
				 "0x4006f0");
	} else {
		refuse(s, "is no function of the program");
		if (s->nearest.best)
			pms_hint(s->err, "the nearest is %s", s->nearest.best);
		else
			pms_hint(s->err, "nm --defined-only FILE lists those that there are");
	}
	return rc;
}

/* A name that stands for one function with code. */
static int settle(struct search *s, struct pms_function *out)
{
	struct inlines in = { .search = s };
	find_inlines(&in);
	if (!s->out.n_parts)
		return not_found(s, &in);
	if (s->n_found > 1) {
		refuse(s, "stands for more than one function");
		pms_hint(s->err, "give the address of the one you mean: %s", s->places);
		return -PMS_ENAME;
	}
	if (s->picks) {
		refuse(s, "picks one of several functions when the program starts");
		pms_hint(s->err, "name the one that it picks");
		return -PMS_ENAME;
	}
	if (s->too_many) {
		refuse(s, "has more clones than can be told apart");
		pms_hint(s->err, "name one of them: nm --defined-only FILE lists them");
		return -PMS_ENAME;
	}
	memcpy(out->parts, s->out.parts, sizeof(out->parts));
	out->n_parts = s->out.n_parts;
	out->n_inlined = in.count;
	return 0;
}

static int search_elf(struct search *s, struct pms_function *out)
{
	struct pms_function found = { 0 };
	char *end;
	int rc = lowest_code(s, &found.file_code);
	if (rc)
		return rc;
	errno = 0;
	uint64_t address = strtoull(s->name, &end, 16);
	if (strncmp(s->name, "0x", 2) != 0 || *end || errno || !address) {
		rc = search_table(s);
		if (!rc)
			rc = settle(s, &found);
	} else if (address % 4) {
		rc = refuse(s, "is no address of an instruction");
	} else {
		found.parts[found.n_parts++] = (struct pms_function_part){ .address = address };
	}
	if (!rc)
		*out = found;
	return rc;
}

int pms_function_find(const char *path, const char *name, struct pms_function *out,
		      struct pms_error *err)
{
	struct search s = { .path = path, .name = name, .err = err };
	int fd = pms_regular_open(path);
	if (fd < 0)
		return pms_fail_at(err, PMS_EIO, path, 0, 0, "cannot be read: %s",
				   errno == EINVAL ? "it is not a regular file" : strerror(errno));
	elf_version(EV_CURRENT);
	s.fd = fd;
	s.elf = elf_begin(fd, ELF_C_READ, NULL);
	int rc = s.elf && elf_kind(s.elf) == ELF_K_ELF ? search_elf(&s, out) : damaged(&s);
	elf_end(s.elf);
	close(fd);
	pms_demangler_release(&s.demangler);
	return rc;
}
