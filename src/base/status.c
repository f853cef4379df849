/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *pms_status_name(enum pms_status status)
{
	static const char *const names[] = {
		[PMS_OK] = "PMS_OK",	       [PMS_EINVAL] = "PMS_EINVAL",
		[PMS_ENOMEM] = "PMS_ENOMEM",   [PMS_EIO] = "PMS_EIO",
		[PMS_EPARSE] = "PMS_EPARSE",   [PMS_ENAME] = "PMS_ENAME",
		[PMS_EHOST] = "PMS_EHOST",     [PMS_EEXEC] = "PMS_EEXEC",
		[PMS_ENOEXEC] = "PMS_ENOEXEC",
	};
	size_t i = (size_t)status;
	return i < sizeof(names) / sizeof(names[0]) ? names[i] : "?";
}

__attribute__((format(printf, 6, 0))) static int fail(struct pms_error *err, enum pms_status status,
						      const char *source, unsigned line,
						      unsigned column, const char *format,
						      va_list args)
{
	if (err && err->status == PMS_OK) {
		err->status = status;
		snprintf(err->source, sizeof(err->source), "%s", source ? source : "");
		err->line = line;
		err->column = column;
		vsnprintf(err->text, sizeof(err->text), format, args);
	}
	return -(int)status;
}

int(pms_fail)(struct pms_error *err, enum pms_status status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int rc = fail(err, status, NULL, 0, 0, format, args);
	va_end(args);
	return rc;
}

int(pms_fail_at)(struct pms_error *err, enum pms_status status, const char *source, unsigned line,
		 unsigned column, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int rc = fail(err, status, source, line, column, format, args);
	va_end(args);
	return rc;
}

void pms_hint(struct pms_error *err, const char *format, ...)
{
	if (!err || err->status == PMS_OK || err->hint[0])
		return;
	va_list args;
	va_start(args, format);
	vsnprintf(err->hint, sizeof(err->hint), format, args);
	va_end(args);
}
