/* SPDX-License-Identifier: MIT */
/* pmuscope/object.h - what a process has mapped: the files, and what is no file, that addresses
 * lie in.
 * Flow: perfdata -> spe samples -> [object, place] -> symbol. */
#ifndef PMUSCOPE_OBJECT_H
#define PMUSCOPE_OBJECT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pms_object_kind {
	PMS_OBJECT_FILE,   /* path is that of an ELF file, on the machine of the recording */
	PMS_OBJECT_KERNEL, /* the kernel itself */
	PMS_OBJECT_MODULE, /* a module of the kernel: path is its file, or "[name]" */
	PMS_OBJECT_VDSO,   /* "[vdso]" */
	PMS_OBJECT_JIT,	   /* code or data that no file has: anonymous memory, made at run time */
	PMS_OBJECT_STACK,  /* "[stack]" */
	PMS_OBJECT_HEAP,   /* "[heap]" */
	PMS_OBJECT_OTHER   /* another name that is no file's: "[vvar]", "[uprobes]" */
};

struct pms_object {
	enum pms_object_kind kind;
	const char *path;      /* as the recording has it */
	uint8_t build_id[20];  /* of the file that was mapped, when it was recorded */
	uint8_t build_id_size; /* 0: not known */
};

/** Where an address lies. */
struct pms_place {
	const struct pms_object *object; /* NULL: in nothing that is known */
	uint32_t index;	  /* the object's number, from 0 in the order of the file; without one
			     UINT32_MAX */
	uint64_t address; /* the address itself, with bits [63:56] as bit 55 */
	uint64_t offset;  /* of files: in the file, bytes; of the kernel: from the symbol that its
			     path ends with ("[kernel.kallsyms]_text"), wherever that was */
	uint64_t start;	  /* of the mapping that it lies in */
	int executable;	  /* 1: that mapping is of code */
};

/** The kind of the object that a recording calls @path, of a mapping of the kernel if @kernel. */
enum pms_object_kind pms_object_kind_of(const char *path, int kernel);

/** Returns "file", "kernel", "module", "vdso", "jit", "stack", "heap" or "other". Static storage.
 */
const char *pms_object_kind_name(enum pms_object_kind kind);

#ifdef __cplusplus
}
#endif
#endif
