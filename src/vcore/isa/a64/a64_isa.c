/* SPDX-License-Identifier: MIT */
#include "vcore/isa/isa.h"

#include <elf.h>
#include <string.h>

#include "vcore/isa/a64/a64.h"

const struct pms_isa pms_isa = {
	.name = "AArch64",
	.target = "aarch64",
	.qemu = "qemu-aarch64",
	.qemu_cpu = "neoverse-n1",
	.cross_root = "/usr/aarch64-linux-gnu",
	.default_root = "/etc/qemu-binfmt/aarch64", /* Debian's */
	.loader = "lib/ld-linux-aarch64.so.1",
	.compiler = "aarch64-linux-gnu-gcc",
	.compiler_package = "gcc-aarch64-linux-gnu",
	.libraries_package = "libc6-arm64-cross",
	.compiler_title = "AArch64 compiler",
	.libraries_title = "AArch64 libraries",
	.elf_machine = EM_AARCH64,
	.link_register = 30,
	.stack_register = 31,
	.read_register = "aarch64_cpu_gdb_read_register",
};

static const char *const op_names[PMS_OP_COUNT] = {
#define X(id, name) name,
	PMS_OPS(X)
#undef X
};

const char *pms_op_name(enum pms_op op)
{
	return (unsigned)op < PMS_OP_COUNT ? op_names[op] : "?";
}

const char *const pms_form_names[PMS_FORM_COUNT] = {
#define X(id, name) name,
	PMS_FORMS(X)
#undef X
};

const char *const pms_fuse_names[PMS_FUSE_COUNT] = {
#define X(id, name) name,
	PMS_FUSES(X)
#undef X
};

const uint8_t pms_op_roles[PMS_OP_COUNT] = {
	[PMS_OP_MOVE] = PMS_ROLE_MOVE,
	[PMS_OP_ZERO] = PMS_ROLE_MOVE,
	[PMS_OP_ATOMIC] = PMS_ROLE_ATOMIC,
	[PMS_OP_LOAD_EX] = PMS_ROLE_LOAD_EXCLUSIVE,
	[PMS_OP_STORE_EX] = PMS_ROLE_STORE_EXCLUSIVE,
	[PMS_OP_PREFETCH] = PMS_ROLE_PREFETCH,
	[PMS_OP_DC_ZVA] = PMS_ROLE_ZEROING,
	[PMS_OP_DMB] = PMS_ROLE_BARRIER,
	[PMS_OP_DSB] = PMS_ROLE_SYNC,
	[PMS_OP_ISB] = PMS_ROLE_REFETCH,
	[PMS_OP_SVC] = PMS_ROLE_CALL,
	[PMS_OP_TRAP] = PMS_ROLE_TRAP,
	[PMS_OP_UNDEF] = PMS_ROLE_UNDEFINED,
};

const uint8_t pms_op_kinds[PMS_OP_COUNT] = {
	[PMS_OP_ALU] = PMS_KIND_INT,
	[PMS_OP_ALU_LSL] = PMS_KIND_INT,
	[PMS_OP_LOGIC_SHIFT] = PMS_KIND_INT,
	[PMS_OP_MOVE] = PMS_KIND_INT,
	[PMS_OP_ZERO] = PMS_KIND_INT,
	[PMS_OP_ALU_SHIFT] = PMS_KIND_INT,
	[PMS_OP_SHIFT] = PMS_KIND_INT,
	[PMS_OP_BITFIELD] = PMS_KIND_INT,
	[PMS_OP_MUL32] = PMS_KIND_INT,
	[PMS_OP_MUL64] = PMS_KIND_INT,
	[PMS_OP_MAC32] = PMS_KIND_INT,
	[PMS_OP_MAC64] = PMS_KIND_INT,
	[PMS_OP_MULH] = PMS_KIND_INT,
	[PMS_OP_CRC] = PMS_KIND_INT,
	[PMS_OP_PAUTH] = PMS_KIND_INT,
	[PMS_OP_SVE_PRED] = PMS_KIND_INT,
	[PMS_OP_FP_MOVE] = PMS_KIND_FP,
	[PMS_OP_FP_CMP] = PMS_KIND_FP,
	[PMS_OP_FP_ADD] = PMS_KIND_FP,
	[PMS_OP_FP_MUL] = PMS_KIND_FP,
	[PMS_OP_FP_MAC] = PMS_KIND_FP,
	[PMS_OP_FP_CVT] = PMS_KIND_FP,
	[PMS_OP_INT_TO_FP] = PMS_KIND_FP,
	[PMS_OP_FP_TO_INT] = PMS_KIND_FP,
	[PMS_OP_X_TO_V] = PMS_KIND_FP,
	[PMS_OP_V_TO_X] = PMS_KIND_FP,
	[PMS_OP_V_ALU] = PMS_KIND_FP,
	[PMS_OP_V_SHIFT] = PMS_KIND_FP,
	[PMS_OP_V_SHIFT_ACC] = PMS_KIND_FP,
	[PMS_OP_V_PERM] = PMS_KIND_FP,
	[PMS_OP_V_TBL] = PMS_KIND_FP,
	[PMS_OP_V_MUL] = PMS_KIND_FP,
	[PMS_OP_V_MAC] = PMS_KIND_FP,
	[PMS_OP_V_REDUCE] = PMS_KIND_FP,
	[PMS_OP_V_FP_ADD] = PMS_KIND_FP,
	[PMS_OP_V_FP_MUL] = PMS_KIND_FP,
	[PMS_OP_V_FP_MAC] = PMS_KIND_FP,
	[PMS_OP_V_FP_CVT] = PMS_KIND_FP,
	[PMS_OP_V_FP_EST] = PMS_KIND_FP,
	[PMS_OP_CRYPTO_AES] = PMS_KIND_FP,
	[PMS_OP_CRYPTO_SHA] = PMS_KIND_FP,
	[PMS_OP_SVE_ALU] = PMS_KIND_FP,
	[PMS_OP_SVE_MUL] = PMS_KIND_FP,
	[PMS_OP_SVE_FP] = PMS_KIND_FP,
	[PMS_OP_DIV32] = PMS_KIND_DIVIDE,
	[PMS_OP_DIV64] = PMS_KIND_DIVIDE,
	[PMS_OP_FP_DIV32] = PMS_KIND_DIVIDE,
	[PMS_OP_FP_DIV64] = PMS_KIND_DIVIDE,
	[PMS_OP_FP_SQRT32] = PMS_KIND_DIVIDE,
	[PMS_OP_FP_SQRT64] = PMS_KIND_DIVIDE,
	[PMS_OP_V_FP_DIV32] = PMS_KIND_DIVIDE,
	[PMS_OP_V_FP_DIV64] = PMS_KIND_DIVIDE,
	[PMS_OP_V_FP_SQRT32] = PMS_KIND_DIVIDE,
	[PMS_OP_V_FP_SQRT64] = PMS_KIND_DIVIDE,
	[PMS_OP_SVE_DIV] = PMS_KIND_DIVIDE,
};

const uint8_t pms_op_beside[PMS_OP_COUNT] = {
	[PMS_OP_LOAD_VP] = PMS_OP_LOAD_VP,	 [PMS_OP_STORE_V] = PMS_OP_STORE_DATA_V,
	[PMS_OP_STORE_VN] = PMS_OP_STORE_DATA_V, [PMS_OP_STORE] = PMS_OP_STORE_DATA,
	[PMS_OP_STORE_EX] = PMS_OP_STORE_DATA,	 [PMS_OP_ATOMIC] = PMS_OP_STORE_DATA,
};

const uint8_t pms_op_stands_in[PMS_OP_COUNT] = {
	[PMS_OP_MOVE] = PMS_OP_ALU,
	[PMS_OP_ZERO] = PMS_OP_MOVE,
	[PMS_OP_ALU_LSL] = PMS_OP_ALU,
	[PMS_OP_LOGIC_SHIFT] = PMS_OP_ALU,
	[PMS_OP_ATOMIC] = PMS_OP_LOAD,
	[PMS_OP_LOAD_EX] = PMS_OP_LOAD,
	[PMS_OP_STORE_EX] = PMS_OP_STORE,
	/* A core without SVE need not say how long it takes. */
	[PMS_OP_SVE_ALU] = PMS_OP_V_ALU,
	[PMS_OP_SVE_MUL] = PMS_OP_V_MUL,
	[PMS_OP_SVE_FP] = PMS_OP_V_FP_MAC,
	[PMS_OP_SVE_DIV] = PMS_OP_V_FP_DIV64,
	[PMS_OP_SVE_PRED] = PMS_OP_ALU,
	[PMS_OP_SVE_LOAD] = PMS_OP_LOAD_V,
	[PMS_OP_SVE_GATHER] = PMS_OP_LOAD_VN,
	[PMS_OP_SVE_STORE] = PMS_OP_STORE_V,
	[PMS_OP_SVE_SCATTER] = PMS_OP_STORE_VN,
};

void pms_isa_classify(const void *code, struct pms_insn *out)
{
	uint32_t word;
	memcpy(&word, code, sizeof(word));
	pms_a64_classify(word, out);
}

/* Numbers of Linux's asm-generic/unistd.h, which this ISA has. */
enum {
	CALL_EXIT = 93,
	CALL_EXIT_GROUP = 94,
	CALL_KILL = 129,
	CALL_TKILL = 130,
	CALL_TGKILL = 131,
	CALL_SIGQUEUE = 138,
	CALL_MUNMAP = 215,
	CALL_MREMAP = 216,
	CALL_EXECVE = 221,
	CALL_MMAP = 222,
	CALL_TGSIGQUEUE = 240,
	CALL_EXECVEAT = 281
};

enum pms_isa_call pms_isa_call(int64_t number)
{
	switch (number) {
	case CALL_EXECVE:
	case CALL_EXECVEAT:
		return PMS_ISA_CALL_REPLACES;
	case CALL_EXIT:
	case CALL_EXIT_GROUP:
	case CALL_KILL:
	case CALL_TKILL:
	case CALL_TGKILL:
	case CALL_SIGQUEUE:
	case CALL_TGSIGQUEUE:
		return PMS_ISA_CALL_MAY_END;
	case CALL_MMAP:
	case CALL_MUNMAP:
	case CALL_MREMAP:
		return PMS_ISA_CALL_MAPS;
	default:
		return PMS_ISA_CALL_RETURNS;
	}
}
