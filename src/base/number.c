/* SPDX-License-Identifier: MIT */
#include "base/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool pms_number_read(const char *text, const char *behind, uint64_t *number)
{
	char *end;
	text += strspn(text, " \t");
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 0);
	if (errno || end[strspn(end, behind)])
		return false;
	*number = value;
	return true;
}
