/* SPDX-License-Identifier: MIT */
#include "base/field.h"

#include <stdlib.h>
#include <string.h>

static int is_number(const char *text)
{
	char *end;
	strtod(text, &end);
	return end != text && !*end;
}

int pms_field_is_formula(const char *text)
{
	const char *behind = text + strspn(text, "'");
	return *behind && strchr("=+-@\t\r\n", *behind) && (behind > text || !is_number(text));
}
