/* SPDX-License-Identifier: MIT */
/* A variable has a type and a size in the symbol table. What has none of them marks a place, as the
 * linker's __bss_start does. A thread's own variables have offsets for addresses: they are at
 * another place in each thread, and are left out. */
#include "symbol/variable.h"

#include <gelf.h>

#include "pmuscope/error.h"

/* Segments ------------------------------------------------------------------------------------- */

static void loads_read(struct pms_variables *v, Elf *elf)
{
	size_t count;
	if (elf_getphdrnum(elf, &count))
		return;
	for (size_t i = 0; i < count && v->n_loads < PMS_MOST_LOADS; i++) {
		GElf_Phdr p;
		if (!gelf_getphdr(elf, (int)i, &p))
			return;
		if (p.p_type == PT_LOAD && p.p_memsz)
			v->loads[v->n_loads++] =
				(struct pms_load){ p.p_offset,
						   p.p_filesz < p.p_memsz ? p.p_filesz : p.p_memsz,
						   p.p_vaddr, p.p_memsz, (p.p_flags & PF_X) != 0 };
	}
}

/* Whether the segment, in pages of @page bytes, has the byte of the file at @offset. A mapping
 * begins and ends with pages, and where the file has two segments in one, two mappings have it. */
static int has_offset(const struct pms_load *load, uint64_t offset, uint64_t page)
{
	uint64_t begin = load->offset / page * page, end;
	if (__builtin_add_overflow(load->offset, load->file_size, &end) ||
	    __builtin_add_overflow(end, page - 1, &end))
		return 0;
	return offset >= begin && offset < end / page * page;
}

/* What is added to the file's own addresses in memory. The page's size is not known: the least one
 * that explains the mapping is taken. Returns 0 where no segment is mapped so. */
static int find_bias(const struct pms_variables *v, const struct pms_place *mapping, uint64_t *bias)
{
	static const uint64_t pages[] = { 1, 1 << 12, 1 << 14, 1 << 16 };
	uint64_t offset = mapping->offset - (mapping->address - mapping->start);
	for (size_t k = 0; k < sizeof(pages) / sizeof(pages[0]); k++)
		for (size_t i = 0; i < v->n_loads; i++) {
			const struct pms_load *load = &v->loads[i];
			if (load->executable != mapping->executable ||
			    !has_offset(load, offset, pages[k]))
				continue;
			*bias = mapping->start - (offset - load->offset + load->address);
			return 1;
		}
	return 0;
}

static int is_loaded(const struct pms_variables *v, uint64_t own)
{
	for (size_t i = 0; i < v->n_loads; i++)
		if (own - v->loads[i].address < v->loads[i].size)
			return 1;
	return 0;
}

/* Names ---------------------------------------------------------------------------------------- */

/* Of several names of one variable the global one is taken, then a weak one. */
static uint8_t rank_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_LOCAL:
		return 1;
	case STB_WEAK:
		return 2;
	default:
		return 3;
	}
}

static int names_read(struct pms_variables *v, Dwfl_Module *module, GElf_Addr bias)
{
	int count = dwfl_module_getsymtab(module);
	for (int i = 1; i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		GElf_Word section;
		const char *name =
			dwfl_module_getsym_info(module, i, &symbol, &address, &section, NULL, NULL);
		if (!name || !name[0] || section == SHN_UNDEF || section == SHN_ABS ||
		    GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || !symbol.st_size)
			continue;
		struct pms_name_at row = { .start = address - bias,
					   .name = name,
					   .rank = rank_of(&symbol) };
		if (__builtin_add_overflow(row.start, symbol.st_size, &row.end))
			continue;
		if (pms_names_add(&v->names, &row))
			return -PMS_ENOMEM;
	}
	return pms_names_settle(&v->names, 0);
}

static int take_module(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr start,
		       void *context)
{
	Dwfl_Module **found = context;
	(void)data;
	(void)name;
	(void)start;
	*found = module;
	return DWARF_CB_ABORT;
}

int pms_variables_read(struct pms_variables *v, Dwfl *dwfl)
{
	Dwfl_Module *module = NULL;
	GElf_Addr bias;
	if (v->is_read)
		return 0;
	v->is_read = 1;
	dwfl_getmodules(dwfl, take_module, &module, 0);
	Elf *elf = module ? dwfl_module_getelf(module, &bias) : NULL;
	if (!elf)
		return 0;
	loads_read(v, elf);
	return names_read(v, module, bias);
}

const struct pms_name_at *pms_variables_find(const struct pms_variables *v,
					     const struct pms_place *mapping, uint64_t address,
					     uint64_t *own)
{
	uint64_t bias;
	if (!find_bias(v, mapping, &bias))
		return NULL;
	*own = address - bias;
	return is_loaded(v, *own) ? pms_names_find(&v->names, *own) : NULL;
}

void pms_variables_release(struct pms_variables *v)
{
	pms_names_release(&v->names);
	*v = (struct pms_variables){ 0 };
}
