/* SPDX-License-Identifier: MIT */
#include "vehicles.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What text is made of: usual words of such advertisements. Those with a comma, a doubled quote or
 * letters beyond ASCII are a few of many, as in what people write. */
static const char *const words[] = {
	"clean",	"title",     "runs",	  "and",
	"drives",	"great,",    "one",	  "owner",
	"no",		"rust",	     "new",	  "tires,",
	"brakes",	"battery",   "and",	  "oil",
	"change",	"heated",    "leather",	  "seats,",
	"power",	"windows",   "locks",	  "call",
	"or",		"text",	     "for",	  "more",
	"pictures",	"-",	     "the",	  "price",
	"is",		"firm,",     "trade",	  "welcome",
	"we",		"finance",   "with",	  "your",
	"bank",		"in",	     "the",	  "garage",
	"since",	"new",	     "low",	  "mileage,",
	"service",	"records",   "since",	  "2009",
	"4-speed",	"automatic", "engine",	  "2.4L",
	"transmission", "smooth",    "interior:", "black",
	"exterior:",	"grey",	     "very",	  "\"\"must see\"\"",
	"\xe2\x80\x94", "warranty",  "available", "to",
	"qualified",	"buyers.",   "(555)",	  "555-0123",
};

/* The columns. Empty ones are usual: not every seller says everything. */
static const struct column {
	const char *text[2]; /* of the long advertisement, of the short one */
} columns[] = {
	{ { "7100234511", "7100235068" } },
	{ { "https://cars.example.org/dealer/d/springfield-2006-wagon-ex-4dr/7100234511.html",
	    "https://cars.example.org/owner/d/springfield-2012-coupe/7100235068.html" } },
	{ { "springfield", "springfield" } },
	{ { "https://cars.example.org", "https://cars.example.org" } },
	{ { "4250", "8900" } },
	{ { "2006", "2012" } },
	{ { "example", "sample" } },
	{ { "wagon ex", "coupe" } },
	{ { "", "excellent" } },
	{ { "", "" } },
	{ { "gas", "gas" } },
	{ { "187340", "92000" } },
	{ { "clean", "clean" } },
	{ { "automatic", "automatic" } },
	{ { "0EXAMPLE0VIN00001", "" } },
	{ { "fwd", "" } },
	{ { "", "" } },
	{ { "wagon", "" } },
	{ { "grey", "silver" } },
	{ { "https://img.example.org/00A1B_bCdEfGhIjKl_600x450.jpg",
	    "https://img.example.org/00C2D_mNoPqRsTuVw_600x450.jpg" } },
	{ { NULL, NULL } }, /* the description, in quotes */
	{ { "", "" } },
	{ { "xx", "xx" } },
	{ { "35.0001", "36.0002" } },
	{ { "-78.0003", "-79.0004" } },
};

/* A description of at least length bytes. */
static void describe(FILE *out, size_t length, uint64_t *random)
{
	size_t count = sizeof(words) / sizeof(words[0]);

	fputc('"', out);
	for (size_t written = 0; written < length;) {
		*random ^= *random << 13;
		*random ^= *random >> 7;
		*random ^= *random << 17;
		const char *word = words[(*random >> 20) % count];
		fprintf(out, "%s%s", written ? " " : "", word);
		written += strlen(word) + 1;
	}
	fputc('"', out);
}

static void advertise(FILE *out, int which, uint64_t *random)
{
	static const size_t length[2] = { 1500, 330 };

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (i)
			fputc(',', out);
		if (columns[i].text[which])
			fputs(columns[i].text[which], out);
		else
			describe(out, length[which], random);
	}
	fputc('\n', out);
}

uint8_t *vehicles_make(size_t rows, size_t *size)
{
	char *pair = NULL;
	size_t both = 0, first = 0;
	uint64_t random = 88172645463325252u;
	FILE *out = open_memstream(&pair, &both);

	if (!out)
		return NULL;
	advertise(out, 0, &random);
	first = (size_t)ftell(out);
	advertise(out, 1, &random);
	if (fclose(out) || rows / 2 > (SIZE_MAX / 2 - first) / both)
		return free(pair), NULL;
	*size = rows / 2 * both + rows % 2 * first;
	uint8_t *table = malloc(*size + 1);
	for (size_t at = 0; table && at < *size; at += both)
		memcpy(table + at, pair, *size - at < both ? *size - at : both);
	free(pair);
	return table;
}
