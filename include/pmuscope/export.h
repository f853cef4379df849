/* SPDX-License-Identifier: MIT */
/* pmuscope/export.h - write profiles in the formats of other programs.
 * Flow: profile, symbols -> [export] -> pprof, flame graphs, KCachegrind, compilers and so on.
 * docs/use/export.md says what each format holds and how to open it. */
#ifndef PMUSCOPE_EXPORT_H
#define PMUSCOPE_EXPORT_H

#include <stddef.h>

#include "pmuscope/profile.h"
#include "pmuscope/symbol.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pms_export_format {
	PMS_EXPORT_FOLDED,	/* a line a stack: flamegraph.pl, inferno and others */
	PMS_EXPORT_SPEEDSCOPE,	/* speedscope's JSON */
	PMS_EXPORT_CALLGRIND,	/* callgrind_annotate, KCachegrind */
	PMS_EXPORT_PPROF,	/* pprof's profile.proto, gzip */
	PMS_EXPORT_FIREFOX,	/* Firefox Profiler, processed format */
	PMS_EXPORT_PERFETTO,	/* Perfetto, Chrome's JSON traces */
	PMS_EXPORT_LLVM_SAMPLE, /* clang's -fprofile-sample-use, text */
	PMS_EXPORT_BOLT		/* llvm-bolt's fdata */
};
enum { PMS_EXPORT_FORMATS = PMS_EXPORT_BOLT + 1 };

/** Returns "folded", "speedscope" and so on; "?" for an unknown value. Static storage. */
const char *pms_export_format_name(enum pms_export_format format);
/** Returns 1 with the format that @name names in *format, 0 when it names none. */
int pms_export_format_find(const char *name, enum pms_export_format *format);
/** Returns 1 if the format is not text. */
int pms_export_format_binary(enum pms_export_format format);
/** Returns 1 if files of this format have one value for each place, which options->value names. */
int pms_export_format_single(enum pms_export_format format);

struct pms_export_options {
	enum pms_export_format format;
	struct pms_symbols *symbols; /* NULL: functions and lines are not known */
	const char *value; /* a measure's name (see fold.h) for formats of one value; NULL: the
			      usual one */
	int causes;	   /* 1: stacks of slots end in the cause that the slots were lost to */
	const char *title; /* what was run; NULL: not known */
	/* Takes the output. Returns 0, or -1 to stop. */
	int (*write)(void *context, const void *bytes, size_t length);
	void *context;
};

/** Write @profile. After an error, throw the output away.
 * Returns 0. Errors: -PMS_ENAME no such value; -PMS_EINVAL the profile has nothing that this format
 * holds; -PMS_EIO write() stops; -PMS_ENOMEM. */
int pms_export(const struct pms_profile *profile, const struct pms_export_options *options,
	       struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif
