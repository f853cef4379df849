/* SPDX-License-Identifier: MIT */
/* Classify any word: the result must be within the bounds that the model relies on. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "vcore/isa/a64/a64.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_registers(const uint8_t *registers, unsigned count, unsigned most)
{
	assert(count <= most);
	for (unsigned i = 0; i < count; i++)
		assert(registers[i] < PMS_REG_COUNT);
}

static void check(uint32_t word)
{
	struct pms_insn insn;

	memset(&insn, 0xa5, sizeof(insn));
	pms_a64_classify(word, &insn);
	assert(insn.op < PMS_OP_COUNT);
	assert(insn.branch <= PMS_BRANCH_RETURN);
	assert(insn.fuse < PMS_FUSE_COUNT);
	assert(insn.form < PMS_FORM_COUNT);
	check_registers(insn.src, insn.n_src, sizeof(insn.src));
	check_registers(insn.dst, insn.n_dst, sizeof(insn.dst));
	assert(insn.n_addr <= insn.n_src);
	assert(insn.writeback < PMS_REG_COUNT || insn.writeback == PMS_REG_NONE);
	assert(insn.spec >> PMS_SPEC_COUNT == 0);
	if (!(insn.mem & (PMS_MEM_LOAD | PMS_MEM_STORE)))
		assert(!(insn.mem & (PMS_MEM_PAIR | PMS_MEM_EXCLUSIVE)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (; size >= 4; size -= 4, data += 4) {
		uint32_t word;

		memcpy(&word, data, sizeof(word));
		check(word);
	}
	return 0;
}
