/* SPDX-License-Identifier: MIT */
/* The formats by name, and what each is given. */
#include "export/export.h"
#include "base/status.h"
#include "pmuscope/fold.h"

#include <string.h>

static const struct format {
	const char *name;
	int (*write)(struct pms_exporting *x);
	int stacks; /* 1: wants stacks */
	int single; /* 1: has one value for each place */
	int binary;
} formats[PMS_EXPORT_FORMATS] = {
	[PMS_EXPORT_FOLDED] = { "folded", pms_export_folded, 1, 1, 0 },
	[PMS_EXPORT_SPEEDSCOPE] = { "speedscope", pms_export_speedscope, 1, 0, 0 },
	[PMS_EXPORT_CALLGRIND] = { "callgrind", pms_export_callgrind, 0, 0, 0 },
	[PMS_EXPORT_PPROF] = { "pprof", pms_export_pprof, 0, 0, 1 },
	[PMS_EXPORT_FIREFOX] = { "firefox", pms_export_firefox, 1, 0, 0 },
	[PMS_EXPORT_PERFETTO] = { "perfetto", pms_export_perfetto, 1, 0, 0 },
	[PMS_EXPORT_LLVM_SAMPLE] = { "llvm-sample", pms_export_llvm_sample, 0, 0, 0 },
	[PMS_EXPORT_BOLT] = { "bolt", pms_export_bolt, 0, 0, 0 },
};

const char *pms_export_format_name(enum pms_export_format format)
{
	return (size_t)format < PMS_EXPORT_FORMATS ? formats[format].name : "?";
}

int pms_export_format_find(const char *name, enum pms_export_format *format)
{
	for (size_t i = 0; i < PMS_EXPORT_FORMATS; i++) {
		if (!strcmp(formats[i].name, name)) {
			*format = (enum pms_export_format)i;
			return 1;
		}
	}
	return 0;
}

int pms_export_format_binary(enum pms_export_format format)
{
	return (size_t)format < PMS_EXPORT_FORMATS && formats[format].binary;
}

int pms_export_format_single(enum pms_export_format format)
{
	return (size_t)format < PMS_EXPORT_FORMATS && formats[format].single;
}

static int has_slots(const struct pms_profile *profile)
{
	for (size_t i = 0; i < profile->n_kinds; i++)
		if (profile->kinds[i].share != PMS_PROFILE_NO_SHARE)
			return 1;
	return 0;
}

int pms_export_weights(struct pms_exporting *x, struct pms_export_weight weights[2])
{
	const struct pms_export_options *o = x->options;
	const int both = !formats[o->format].single && !o->value && !o->causes;
	int n = 0;
	if (o->value || !o->causes) {
		int measure = o->value ? pms_profile_measure_find(x->profile, o->value, x->err)
				       : (int)pms_profile_measure_usual(x->profile);
		if (measure < 0)
			return measure;
		weights[n++] = (struct pms_export_weight){ (size_t)measure, 0 };
	}
	if (o->causes || (both && has_slots(x->profile)))
		weights[n++] = (struct pms_export_weight){ 0, 1 };
	return n;
}

static int check(const struct pms_export_options *o, const struct pms_profile *profile,
		 struct pms_error *err)
{
	if ((size_t)o->format >= PMS_EXPORT_FORMATS || !o->write)
		return pms_fail(err, PMS_EINVAL, "no such format, or nobody takes the output");
	if (!profile->n_kinds || !profile->n_rows)
		return pms_fail(err, PMS_EINVAL, "the profile has no values");
	if (o->causes && !has_slots(profile))
		return pms_fail(err, PMS_EINVAL,
				"the profile has no slots, so none by cause: its source is %s",
				pms_profile_source_name(profile->source));
	if (o->value && pms_profile_measure_find(profile, o->value, err) < 0)
		return -PMS_ENAME;
	return 0;
}

int pms_export(const struct pms_profile *profile, const struct pms_export_options *options,
	       struct pms_error *err)
{
	int rc = check(options, profile, err);
	if (rc)
		return rc;
	const struct format *format = &formats[options->format];
	struct pms_exporting x = { .profile = profile,
				   .options = options,
				   .sink = { .write = options->write, .context = options->context },
				   .err = err };
	int causes = has_slots(profile) && (options->causes || !format->single);
	rc = pms_export_places_init(&x.places, profile, options->symbols,
				    options->format == PMS_EXPORT_BOLT, err);
	if (!rc && format->stacks)
		rc = pms_export_stacks_init(&x.stacks, &x.places, causes, err);
	if (!rc)
		rc = format->write(&x);
	if (!rc && pms_sink_end(&x.sink))
		rc = pms_fail(err, PMS_EIO, "cannot write the output");
	pms_export_stacks_release(&x.stacks);
	pms_export_places_release(&x.places);
	return rc;
}
