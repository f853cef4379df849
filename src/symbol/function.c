/* SPDX-License-Identifier: MIT */
#include "symbol/function.h"

#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/name.h"
#include "base/status.h"
#include "symbol/demangle.h"

/* A look for one name. */
struct search {
	const char *path, *name;
	Elf *elf;
	struct pms_demangler demangler;
	struct pms_nearest nearest;
	char near[128]; /* what it points to */
	size_t n_found; /* at different addresses */
	uint64_t first, size;
	int picks;	  /* 1: what was found picks an implementation */
	int is_imported;  /* 1: a shared library's */
	size_t n_names;	  /* functions with a name at all */
	char places[200]; /* of those found */
	struct pms_error *err;
};

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

/* @file: that local symbols are of, "" where not told */
static void look_at(struct search *s, const GElf_Sym *symbol, const char *name, const char *file)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	if ((type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) || !name[0] ||
	    name[0] == '$')
		return;
	int is_same = is_name(s, name);
	if (symbol->st_shndx == SHN_UNDEF) {
		s->is_imported |= is_same;
		return;
	}
	s->n_names++;
	if (!is_same) {
		offer(s, name);
		return;
	}
	if (s->n_found && s->first == symbol->st_value)
		return;
	if (!s->n_found) {
		s->first = symbol->st_value;
		s->size = symbol->st_size;
	}
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
	Dwarf *dwarf = dwarf_begin_elf(in->search->elf, DWARF_C_READ, NULL);
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
	if (!s->n_found)
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
	out->address = s->first;
	out->size = s->size;
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
	found.address = strtoull(s->name, &end, 16);
	if (strncmp(s->name, "0x", 2) != 0 || *end || errno || !found.address) {
		rc = search_table(s);
		if (!rc)
			rc = settle(s, &found);
	} else if (found.address % 4) {
		rc = refuse(s, "is no address of an instruction");
	}
	if (!rc)
		*out = found;
	return rc;
}

int pms_function_find(const char *path, const char *name, struct pms_function *out,
		      struct pms_error *err)
{
	struct search s = { .path = path, .name = name, .err = err };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return pms_fail_at(err, PMS_EIO, path, 0, 0, "cannot be read: %s", strerror(errno));
	elf_version(EV_CURRENT);
	s.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	int rc = s.elf && elf_kind(s.elf) == ELF_K_ELF ? search_elf(&s, out) : damaged(&s);
	elf_end(s.elf);
	close(fd);
	pms_demangler_release(&s.demangler);
	return rc;
}
