/* SPDX-License-Identifier: MIT */
/* A program is identified without reading outside of its file, and an interpreter's path ends. */
#include <assert.h>
#include <string.h>

#include "machine/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pms_elf elf;
	struct pms_error err = { 0 };
	int rc = pms_elf_parse(data, size, &elf, &err);

	assert(err.status == (enum pms_status) - rc);
	assert(memchr(elf.interp, 0, sizeof(elf.interp)));
	assert(elf.kind == PMS_FILE_ELF || !elf.bits);
	assert(elf.kind == PMS_FILE_ELF || !pms_elf_defines(data, size, "name"));
	pms_elf_defines(data, size, "name");
	return 0;
}
