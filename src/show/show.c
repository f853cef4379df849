/* SPDX-License-Identifier: MIT */
/* The public functions: each names its builder. Options are completed, numbers follow the C
 * locale. */
#include "pmuscope/show.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "show/describe.h"
#include "show/filter.h"
#include "show/formats.h"
#include "show/listing.h"
#include "show/render.h"
#include "show/search.h"
#include "show/spe_report.h"

struct pms_show_options pms_show_complete(const struct pms_show_options *options)
{
	struct pms_show_options o = options ? *options : (struct pms_show_options){ 0 };
	if (!o.width)
		o.width = 80;
	if (!o.separator)
		o.separator = ',';
	o.ascii = o.ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	return o;
}

/* Check before making a locale: that takes longer than writing a small interval. */
static int writes_numbers_like_c(void)
{
	return !strcmp(nl_langinfo(RADIXCHAR), ".") && !*nl_langinfo(THOUSEP);
}

locale_t pms_show_enter(locale_t *numbers)
{
	locale_t old = uselocale((locale_t)0);
	*numbers = (locale_t)0;
	if (writes_numbers_like_c())
		return old;
	locale_t copy = duplocale(old);
	*numbers = copy ? newlocale(LC_NUMERIC_MASK, "C", copy) : (locale_t)0;
	if (*numbers)
		uselocale(*numbers);
	else if (copy)
		freelocale(copy);
	return old;
}

int pms_show_leave(locale_t old, locale_t numbers, FILE *out, int rc, struct pms_error *err)
{
	uselocale(old);
	if (numbers)
		freelocale(numbers);
	if (!rc && (fflush(out) || ferror(out)))
		rc = pms_fail(err, PMS_EIO, "cannot write the report: %m");
	return rc;
}

int pms_show_list(FILE *out, const struct pms_catalog *catalog, enum pms_list what,
		  const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_filter filter = { .catalog = catalog,
				     .what = what,
				     .words = options ? options->filter : NULL,
				     .n_words = options ? options->n_filter : 0 };
	if ((unsigned)what > PMS_LIST_TREE)
		return pms_fail(err, PMS_EINVAL, "there is no list %d", (int)what);
	return pms_show_built(out, options, pms_build_list, &filter, err);
}

int pms_show_cpus(FILE *out, const struct pms_catalog *const *catalogs, size_t n,
		  const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_cpu_list list = { catalogs, n };
	return pms_show_built(out, options, pms_build_cpus, &list, err);
}

int pms_show_checks(FILE *out, const struct pms_host_check *checks, size_t n,
		    const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_check_list list = { checks, n };
	return pms_show_built(out, options, pms_build_checks, &list, err);
}

int pms_show_lint(FILE *out, const struct pms_lint *lint, const struct pms_show_options *options,
		  struct pms_error *err)
{
	return pms_show_built(out, options, pms_build_lint, (void *)lint, err);
}

int pms_show_search(FILE *out, const struct pms_catalog *const *catalogs, size_t n,
		    const char *docs, const char *const *words, size_t n_words,
		    const struct pms_show_options *options, size_t *found, struct pms_error *err)
{
	struct pms_sought sought = {
		.catalogs = catalogs, .n = n, .docs = docs, .words = words, .n_words = n_words
	};
	int rc = pms_show_built(out, options, pms_build_search, &sought, err);
	if (found)
		*found = sought.found;
	return rc;
}

int pms_show_description(FILE *out, const struct pms_catalog *catalog,
			 const struct pms_vcore_events *model, const char *const *names, size_t n,
			 const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_description d = {
		.catalog = catalog, .model = model, .names = names, .n_names = n
	};
	int rc = pms_show_built(out, options, pms_build_description, &d, err);
	free(d.subjects);
	return rc;
}

int pms_show_spe_report(FILE *out, struct pms_spe_report *report, const char *file,
			const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_spe_shown shown = { report, file };
	return pms_show_built(out, options, pms_build_spe_report, &shown, err);
}
