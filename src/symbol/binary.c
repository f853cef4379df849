/* SPDX-License-Identifier: MIT */
/* A file is used when its build-id is that of the recording, or the recording knows none. One that
 * is not where it was is looked for by its build-id, in the usual directories and, where the
 * environment has DEBUGINFOD_URLS, from those servers, which libdwfl asks. */
#include "symbol/binary.h"
#include "base/array.h"
#include "base/regular.h"
#include "symbol/inflated.h"
#include "symbol/lacked.h"
#include "symbol/separate.h"
#include "symbol/snapshot.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_bounded(int fd, struct pms_debug_room *room)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	int fits = !elf || pms_elf_is_bounded(elf, fd, room);
	pms_lacked_note();
	elf_end(elf);
	return fits;
}

int pms_search_init(struct pms_symbol_search *search, const char *symfs)
{
	*search =
		(struct pms_symbol_search){ .callbacks = {
						    .find_elf = dwfl_build_id_find_elf,
						    .find_debuginfo = pms_separate_find,
						    .section_address = dwfl_offline_section_address,
					    } };
	/* Below this, libdwfl finds nothing that it would map: pms_separate_find() has looked. */
	search->debug = strdup("/dev/null");
	search->callbacks.debuginfo_path = &search->debug;
	search->symfs = symfs ? strdup(symfs) : NULL;
	return search->debug && (search->symfs || !symfs) ? 0 : -PMS_ENOMEM;
}

void pms_search_release(struct pms_symbol_search *search)
{
	free(search->symfs);
	free(search->debug);
	*search = (struct pms_symbol_search){ 0 };
}

/* Finding -------------------------------------------------------------------------------------- */

static int is_same_build(int fd, const struct pms_object *object, enum pms_symbols_state *state)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	const void *id;
	*state = PMS_SYMBOLS_DAMAGED;
	if (elf && elf_kind(elf) == ELF_K_ELF) {
		ssize_t size = dwelf_elf_gnu_build_id(elf, &id);
		int same = !object->build_id_size ||
			   (size == object->build_id_size &&
			    !memcmp(id, object->build_id, object->build_id_size));
		*state = same ? PMS_SYMBOLS_BARE : PMS_SYMBOLS_MISMATCH;
	}
	pms_lacked_note();
	elf_end(elf);
	return *state == PMS_SYMBOLS_BARE;
}

/* An open file, and where it is. */
struct found {
	int fd; /* -1: none */
	char *path;
};

/* Where it was, below symfs if that is given. State: what became of that. */
static int find_by_path(const struct pms_symbol_search *search, const struct pms_object *object,
			struct found *found, enum pms_symbols_state *state)
{
	*found = (struct found){ .fd = -1 };
	*state = PMS_SYMBOLS_MISSING;
	if (asprintf(&found->path, "%s%s", search->symfs ? search->symfs : "", object->path) < 0) {
		found->path = NULL;
		return -PMS_ENOMEM;
	}
	found->fd = pms_regular_open(found->path);
	if (found->fd >= 0 && !is_same_build(found->fd, object, state)) {
		close(found->fd);
		found->fd = -1;
	}
	return 0;
}

/* The servers of DEBUGINFOD_URLS are asked by libdwfl, for the file of a module that it has only
 * the build-id of. */
static void find_on_servers(const struct pms_symbol_search *search, const struct pms_object *object,
			    struct found *found)
{
	char *path = NULL;
	Elf *elf = NULL;
	Dwfl *dwfl = object->build_id_size ? dwfl_begin(&search->callbacks) : NULL;
	if (!dwfl)
		return;
	dwfl_report_begin(dwfl);
	Dwfl_Module *module = dwfl_report_module(dwfl, object->path, 0, 1);
	dwfl_report_end(dwfl, NULL, NULL);
	if (module &&
	    !dwfl_module_report_build_id(module, object->build_id, object->build_id_size, 0))
		found->fd = dwfl_build_id_find_elf(module, NULL, object->path, 0, &path, &elf);
	elf_end(elf);
	if (found->fd >= 0 && path) {
		free(found->path);
		found->path = path;
	} else {
		free(path);
	}
	dwfl_end(dwfl);
}

static void find_by_build_id(const struct pms_symbol_search *search,
			     const struct pms_object *object, struct found *found)
{
	char *path = NULL;
	found->fd = pms_separate_by_id(search, object->build_id, object->build_id_size, "", &path);
	if (found->fd < 0) {
		find_on_servers(search, object, found);
		return;
	}
	free(found->path);
	found->path = path;
}

/* The kernel's file is no program that runs from a path; packages of debug information have it
 * under the name that they have for all. */
static int find_kernel(const struct pms_symbol_search *search, const struct pms_object *object,
		       struct found *found)
{
	enum pms_symbols_state state;
	char name[2 * sizeof(object->build_id) + 1] = "";
	for (size_t i = 0; i < object->build_id_size; i++)
		snprintf(name + 2 * i, 3, "%02x", object->build_id[i]);
	*found = (struct found){ .fd = -1 };
	if (!object->build_id_size)
		return 0;
	if (asprintf(&found->path, "%s/usr/lib/debug/.build-id/%.2s/%s.debug",
		     search->symfs ? search->symfs : "", name, name + 2) < 0) {
		found->path = NULL;
		return -PMS_ENOMEM;
	}
	found->fd = pms_regular_open(found->path);
	if (found->fd >= 0 && !is_same_build(found->fd, object, &state)) {
		close(found->fd);
		found->fd = -1;
	}
	return 0;
}

/* Reading -------------------------------------------------------------------------------------- */

/* The end of a range, which a file may have wrap around. */
static uint64_t behind(uint64_t start, uint64_t size)
{
	uint64_t end;
	return __builtin_add_overflow(start, size, &end) ? UINT64_MAX : end;
}

/* Where two segments have one offset, the first counts. */
static int segments_settle(struct pms_binary *binary)
{
	struct pms_ranges ranges = { 0 };
	int status = binary->n_segments < UINT32_MAX ? 0 : -PMS_ENOMEM;
	for (size_t i = 0; i < binary->n_segments && !status; i++) {
		const struct pms_segment *s = &binary->segments[i];
		status = pms_ranges_add(&ranges, s->offset, behind(s->offset, s->size),
					(uint32_t)(binary->n_segments - 1 - i));
	}
	status = status ? status : pms_cover_make(&binary->loaded, &ranges);
	pms_ranges_release(&ranges);
	return status;
}

static int segments_read(struct pms_binary *binary, Elf *elf)
{
	size_t count;
	if (elf_getphdrnum(elf, &count))
		return 0;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr p;
		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD || !p.p_filesz)
			continue;
		void *room = pms_array_room(binary->segments, binary->n_segments,
					    sizeof(*binary->segments));
		if (!room)
			return -PMS_ENOMEM;
		binary->segments = room;
		binary->segments[binary->n_segments++] =
			(struct pms_segment){ p.p_offset, p.p_filesz, p.p_vaddr };
	}
	return segments_settle(binary);
}

static int stub_add(struct pms_binary *binary, struct pms_ranges *ranges, const GElf_Shdr *header,
		    const char *name)
{
	void *room = pms_array_room((void *)binary->stubs, binary->n_stubs, sizeof(*binary->stubs));
	if (!room || binary->n_stubs == UINT32_MAX)
		return -PMS_ENOMEM;
	binary->stubs = room;
	binary->stubs[binary->n_stubs] = name;
	/* Rows fall, so that the first section counts. */
	return pms_ranges_add(ranges, header->sh_addr, behind(header->sh_addr, header->sh_size),
			      UINT32_MAX - 1 - (uint32_t)binary->n_stubs++);
}

static int stubs_read(struct pms_binary *binary, Elf *elf)
{
	struct pms_ranges ranges = { 0 };
	size_t names;
	int status = 0;
	if (elf_getshdrstrndx(elf, &names))
		return 0;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s && !status; s = elf_nextscn(elf, s)) {
		GElf_Shdr header;
		const char *name =
			gelf_getshdr(s, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		if (name && !strncmp(name, ".plt", 4))
			status = stub_add(binary, &ranges, &header, name);
	}
	status = status ? status : pms_cover_make(&binary->stubbed, &ranges);
	pms_ranges_release(&ranges);
	return status;
}

/* What a symbol says of the place, and how well; 0: nothing. Types before binding. */
static uint8_t rank_of(const GElf_Sym *sym, const char *name)
{
	static const uint8_t by_binding[] = { [STB_LOCAL] = 1, [STB_GLOBAL] = 3, [STB_WEAK] = 2 };
	unsigned binding = GELF_ST_BIND(sym->st_info);
	uint8_t rank = binding < sizeof(by_binding) ? by_binding[binding] : 3;
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return (uint8_t)(rank + 10);
	case STT_OBJECT:
		return rank;
	case STT_NOTYPE:
		/* Marks of where code and data begin, and of the assembler and the linker. */
		return name[0] == '$' || name[0] == '.' || binding != STB_GLOBAL ? 0 : rank;
	default:
		return 0;
	}
}

/* Where a section ends, in the file's own addresses; 0: not known. */
static uint64_t section_end(Elf *elf, GElf_Word section)
{
	GElf_Shdr header;
	Elf_Scn *s = elf ? elf_getscn(elf, section) : NULL;
	return s && gelf_getshdr(s, &header) ? header.sh_addr + header.sh_size : 0;
}

static int names_read(struct pms_binary *binary, Dwfl_Module *module, GElf_Addr bias)
{
	int count = dwfl_module_getsymtab(module);
	for (int i = 1; i < count; i++) {
		GElf_Sym sym;
		GElf_Addr address;
		GElf_Word section;
		Elf *elf; /* that has the symbol, perhaps the debug information's */
		GElf_Addr its_bias;
		const char *name = dwfl_module_getsym_info(module, i, &sym, &address, &section,
							   &elf, &its_bias);
		if (name && binary->reference && !strcmp(name, binary->reference))
			binary->reference_at = address - bias;
		uint8_t rank = name && name[0] && section != SHN_UNDEF && section != SHN_ABS
				       ? rank_of(&sym, name)
				       : 0;
		if (!rank)
			continue;
		struct pms_name_at row = { .start = address - bias, .name = name, .rank = rank };
		if (__builtin_add_overflow(row.start, sym.st_size, &row.end))
			continue;
		if (!sym.st_size && its_bias == bias)
			row.latest = section_end(elf, section);
		if (pms_names_add(&binary->names, &row))
			return -PMS_ENOMEM;
	}
	uint64_t end = 0;
	for (size_t i = 0; i < binary->n_segments; i++) {
		const struct pms_segment *s = &binary->segments[i];
		end = behind(s->address, s->size) > end ? behind(s->address, s->size) : end;
	}
	return pms_names_settle(&binary->names, end);
}

/* Where the file is that has the debug information. */
static const char *path_of(Dwfl_Module *module)
{
	const char *own, *apart;
	dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &own, &apart);
	return apart ? apart : own ? own : "";
}

/* The module's addresses are the file's own and a bias, which is taken off of all that is kept. */
static int module_read(struct pms_binary *binary, const struct pms_symbol_search *search,
		       Dwfl_Module *module)
{
	GElf_Addr bias, debug_bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	if (!elf) {
		binary->state = PMS_SYMBOLS_DAMAGED;
		return 0;
	}
	int status = segments_read(binary, elf);
	status = status ? status : stubs_read(binary, elf);
	Dwarf *dwarf = dwfl_module_getdwarf(module, &debug_bias);
	status = status ? status : names_read(binary, module, bias);
	if (!status && dwarf && debug_bias == bias)
		status = pms_debug_lines_init(&binary->lines, dwarf, path_of(module), search->room);
	binary->state = binary->lines.n_units ? PMS_SYMBOLS_LINES
			: binary->names.count ? PMS_SYMBOLS_NAMES
					      : PMS_SYMBOLS_BARE;
	return status;
}

/* Takes the descriptor. */
static int file_read(struct pms_binary *binary, const struct pms_symbol_search *search,
		     const struct found *found)
{
	binary->state = PMS_SYMBOLS_DAMAGED;
	if (!is_bounded(found->fd, search->room)) {
		close(found->fd);
		return 0;
	}
	binary->dwfl = dwfl_begin(&search->callbacks);
	if (!binary->dwfl) {
		close(found->fd);
		return -PMS_ENOMEM;
	}
	int fd = pms_snapshot_take(found->fd);
	dwfl_report_begin(binary->dwfl);
	Dwfl_Module *module = dwfl_report_offline(binary->dwfl, found->path, found->path, fd);
	pms_lacked_note();
	dwfl_report_end(binary->dwfl, NULL, NULL);
	if (module) {
		void **own;
		dwfl_module_info(module, &own, NULL, NULL, NULL, NULL, NULL, NULL);
		*own = (void *)(uintptr_t)search; /* for pms_separate_find() */
		return module_read(binary, search, module);
	}
	close(fd); /* not the module's, as there is none */
	return 0;
}

int pms_binary_open(struct pms_binary *binary, const struct pms_symbol_search *search,
		    const struct pms_object *object)
{
	struct found found;
	int kernel = object->kind == PMS_OBJECT_KERNEL;
	const char *bracket = strrchr(object->path, ']');
	elf_version(EV_CURRENT);
	binary->state = PMS_SYMBOLS_MISSING;
	binary->reference = kernel && bracket && bracket[1] ? bracket + 1 : NULL;
	int status = kernel ? find_kernel(search, object, &found)
			    : find_by_path(search, object, &found, &binary->state);
	if (!status && found.fd < 0)
		find_by_build_id(search, object, &found);
	if (!status && found.fd >= 0)
		status = file_read(binary, search, &found);
	binary->reference = NULL; /* the object's */
	binary->path = found.path;
	return status;
}

int pms_binary_address(const struct pms_binary *binary, uint64_t offset, uint64_t *address)
{
	uint32_t row = pms_cover_find(&binary->loaded, offset);
	if (row >= binary->n_segments)
		return 0;
	const struct pms_segment *s = &binary->segments[binary->n_segments - 1 - row];
	*address = offset - s->offset + s->address;
	return 1;
}

int pms_binary_offset(const struct pms_binary *binary, uint64_t address, uint64_t *offset)
{
	uint64_t back;
	for (size_t i = 0; i < binary->n_segments; i++) {
		const struct pms_segment *s = &binary->segments[i];
		*offset = address - s->address + s->offset;
		if (address >= s->address && address - s->address < s->size &&
		    pms_binary_address(binary, *offset, &back) && back == address)
			return 1;
	}
	return 0;
}

const char *pms_binary_stub(const struct pms_binary *binary, uint64_t address)
{
	uint32_t row = pms_cover_find(&binary->stubbed, address);
	return row < UINT32_MAX ? binary->stubs[UINT32_MAX - 1 - row] : NULL;
}

void pms_binary_close(struct pms_binary *binary)
{
	free(binary->path);
	pms_debug_lines_release(&binary->lines);
	pms_names_release(&binary->names);
	pms_variables_release(&binary->variables);
	free(binary->segments);
	pms_cover_release(&binary->loaded);
	free((void *)binary->stubs);
	pms_cover_release(&binary->stubbed);
	if (binary->dwfl)
		dwfl_end(binary->dwfl);
	*binary = (struct pms_binary){ 0 };
}
