/* SPDX-License-Identifier: MIT */
/* pmuscope/object.h - what a process has mapped: files and other memory.
 * Flow: perfdata -> spe samples -> [object, place] -> symbol. */
#ifndef PMUSCOPE_OBJECT_H
#define PMUSCOPE_OBJECT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pms_object_kind {
	PMS_OBJECT_FILE,   /* an ELF file; path is its path on the recording machine */
	PMS_OBJECT_KERNEL, /* the kernel itself */
	PMS_OBJECT_MODULE, /* a module of the kernel: path is its file, or "[name]" */
	PMS_OBJECT_VDSO,   /* "[vdso]" */
	PMS_OBJECT_JIT,	   /* code or data without a file: anonymous memory, made at run time */
	PMS_OBJECT_STACK,  /* "[stack]" */
	PMS_OBJECT_HEAP,   /* "[heap]" */
	PMS_OBJECT_OTHER   /* another name without a file: "[vvar]", "[uprobes]" */
};

struct pms_object {
	enum pms_object_kind kind;
	const char *path;      /* as recorded */
	uint8_t build_id[20];  /* of the mapped file, taken when it was recorded */
	uint8_t build_id_size; /* 0: not known */
};

/** Where an address lies. */
struct pms_place {
	const struct pms_object *object; /* NULL: in no known object */
	uint32_t index; /* the object's number, from 0 in the order of the file; UINT32_MAX without
			 * an object */
	uint64_t address; /* the address itself, with bits [63:56] as bit 55 */
	uint64_t offset;  /* for files: bytes into the file; for the kernel: from the symbol at the
			   * end of its path ("[kernel.kallsyms]_text"), wherever that was */
	uint64_t start;	  /* of the mapping around the address */
	int executable;	  /* 1: the mapping holds code */
};

/** Returns the kind of an object that a recording names @path. @kernel: 1: it is a mapping of the
 * kernel. */
enum pms_object_kind pms_object_kind_of(const char *path, int kernel);

/** Returns "file", "kernel", "module", "vdso", "jit", "stack", "heap" or "other". Static storage.
 */
const char *pms_object_kind_name(enum pms_object_kind kind);

#ifdef __cplusplus
}
#endif
#endif
