/* SPDX-License-Identifier: MIT */
/* a64_dump - print how the A64 classifier sees each word of its input, for check_a64.py.
 * Input: little-endian words, from the file named or standard input. One line a word:
 *   word class form branch disp mem bytes fuse fp_ops spec addr=R.. src=R.. dst=R.. wb=R
 * where registers are x0, sp, v0, p0, nzcv, ffr, separated by commas, and "-" for none. */
#include <stdbool.h>
#include <stdio.h>

#include "vcore/isa/a64/a64.h"

static const char *const branch_names[] = {
	[PMS_BRANCH_NONE] = "-",
	[PMS_BRANCH_COND] = "cond",
	[PMS_BRANCH_JUMP] = "jump",
	[PMS_BRANCH_CALL] = "call",
	[PMS_BRANCH_INDIRECT] = "indirect",
	[PMS_BRANCH_INDIRECT_CALL] = "indirect_call",
	[PMS_BRANCH_RETURN] = "return",
};
static const char *const mem_names[] = { "load",    "store",	 "literal", "acquire",
					 "release", "exclusive", "hidden",  "pair" };
static const char *const spec_names[] = {
#define X(name) #name,
	PMS_SPECS(X)
#undef X
};

static void print_reg(unsigned reg)
{
	if (reg == PMS_REG_NONE)
		printf("-");
	else if (reg == PMS_REG_SP)
		printf("sp");
	else if (reg == PMS_REG_NZCV)
		printf("nzcv");
	else if (reg == PMS_REG_FFR)
		printf("ffr");
	else if (reg >= PMS_REG_P0)
		printf("p%u", reg - PMS_REG_P0);
	else if (reg >= PMS_REG_V0)
		printf("v%u", reg - PMS_REG_V0);
	else
		printf("x%u", reg);
}

static void print_regs(const char *name, const uint8_t *regs, unsigned count)
{
	printf(" %s=", name);
	if (!count)
		printf("-");
	for (unsigned i = 0; i < count; i++) {
		printf("%s", i ? "," : "");
		print_reg(regs[i]);
	}
}

/* Print the names of the set bits, joined by commas. */
static void print_bits(uint32_t bits, const char *const *names, unsigned count)
{
	bool any = false;
	printf(" ");
	for (unsigned i = 0; i < count; i++) {
		if (!(bits >> i & 1))
			continue;
		printf("%s%s", any ? "," : "", names[i]);
		any = true;
	}
	if (!any)
		printf("-");
}

static void print_insn(uint32_t word)
{
	struct pms_insn insn;
	pms_a64_classify(word, &insn);
	printf("%08x %s %s %s %d", word, pms_op_name(insn.op), pms_form_names[insn.form],
	       branch_names[insn.branch], insn.disp);
	print_bits(insn.mem, mem_names, 8);
	printf(" %u %s %u", insn.mem_size, pms_fuse_names[insn.fuse], insn.fp_ops);
	print_bits(insn.spec, spec_names, PMS_SPEC_COUNT);
	print_regs("addr", insn.src, insn.n_addr);
	print_regs("src", insn.src, insn.n_src);
	print_regs("dst", insn.dst, insn.n_dst);
	print_regs("wb", &insn.writeback, 1);
	printf("\n");
}

int main(int argc, char **argv)
{
	unsigned char bytes[4];
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : stdin;
	if (!file) {
		perror(argv[1]);
		return 2;
	}
	while (fread(bytes, 1, sizeof(bytes), file) == sizeof(bytes))
		print_insn((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
			   (uint32_t)bytes[3] << 24);
	if (file != stdin)
		fclose(file);
	return fflush(stdout) ? 2 : 0;
}
