/* SPDX-License-Identifier: MIT */
/* vcore/isa/isa.h - an instruction set, as the launcher, the plugin and the model see it. A new
 * one needs a folder beside the others, and no change elsewhere. Flow: guest bytes -> [isa] ->
 * instructions -> model. */
#ifndef PMS_VCORE_ISA_ISA_H
#define PMS_VCORE_ISA_ISA_H

#include <stdint.h>

#include "vcore/isa/insn.h"

/** What a system call does to the thread that makes it. */
enum pms_isa_call {
	PMS_ISA_CALL_RETURNS,
	PMS_ISA_CALL_MAY_END,  /* the thread or the whole process may run no further block */
	PMS_ISA_CALL_REPLACES, /* the same, and another program follows */
	PMS_ISA_CALL_MAPS      /* it returns, and may map or unmap code */
};

struct pms_isa {
	const char *name;	  /* for people */
	const char *target;	  /* QEMU's name of it */
	const char *qemu;	  /* QEMU's program that runs it */
	const char *qemu_cpu;	  /* QEMU's CPU to run it on, unless asked otherwise */
	const char *cross_root;	  /* folder where cross compilers keep its libraries */
	const char *default_root; /* folder where QEMU looks for them by default */
	const char *loader;	  /* the C library's program interpreter, within such a root */
	const char *compiler;	  /* Debian's names: of the cross compiler, */
	const char *compiler_package, *libraries_package;
	const char *compiler_title, *libraries_title; /* the same for people */
	uint16_t elf_machine;			      /* EM_* */
	/* Register numbers as in GDB, and QEMU's function that reads a register. */
	uint8_t link_register, stack_register;
	const char *read_register;
};

/** The ISA of this build. */
extern const struct pms_isa pms_isa;

/**
 * Classify one instruction.
 * @code: its bytes, PMS_ISA_LONGEST of them may be read
 * @out:  always written; one that is not allocated has PMS_ROLE_UNDEFINED
 */
void pms_isa_classify(const void *code, struct pms_insn *out);

/** Returns what the system call @number of Linux does. */
enum pms_isa_call pms_isa_call(int64_t number);

#endif
