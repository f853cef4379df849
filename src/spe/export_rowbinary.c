/* SPDX-License-Identifier: MIT */
/* ClickHouse's RowBinary, and the table that it goes into. Numbers little-endian; before what may
 * not be there a byte, 1 when it is not; texts with their length in bits of 7, lowest first. */
#include <endian.h>

#include "base/status.h"
#include "spe/export.h"

enum { LENGTH_MOST = 10 };

static void put_text(struct pms_spe_out *out, const char *text)
{
	size_t length = strlen(text), n = 0;
	char *bytes = pms_spe_out_room(out, LENGTH_MOST);
	for (size_t rest = length; n == 0 || rest; rest >>= 7)
		bytes[n++] = (char)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
	out->length += n;
	pms_spe_out_bytes(out, text, length);
}

static void put_number(struct pms_spe_out *out, uint64_t value, enum pms_spe_type_of_cell type)
{
	uint64_t little = htole64(value);
	memcpy(pms_spe_out_room(out, sizeof(little)), &little, sizeof(little));
	out->length += (size_t)1 << type;
}
_Static_assert(PMS_SPE_U8 == 0 && PMS_SPE_U16 == 1 && PMS_SPE_U32 == 2 && PMS_SPE_U64 == 3,
	       "a type is the power of two of its bytes");

static void row(struct pms_spe_out *out, const struct pms_spe_cells *cells)
{
	for (size_t i = 0; i < out->chosen.count; i++) {
		unsigned cell = out->chosen.cell[i];
		int there = pms_spe_cell_there(cells, cell);
		if (!pms_spe_cells[cell].always)
			pms_spe_out_char(out, there ? '\0' : '\1');
		if (!there)
			continue;
		if (pms_spe_cells[cell].type < PMS_SPE_WORD)
			put_number(out, cells->number[cell], pms_spe_cells[cell].type);
		else
			put_text(out, cells->text[cell]);
	}
}

const struct pms_spe_sink pms_spe_sink_rowbinary = { NULL, row };

/* The table ------------------------------------------------------------------------------------ */

static void put_words(struct pms_spe_out *out, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pms_spe_out_bytes(out, words[i], strlen(words[i]));
}

static void ddl_column(struct pms_spe_out *out, const struct pms_spe_cell *cell, int last)
{
	static const char *const types[] = { "UInt8",  "UInt16", "UInt32",
					     "UInt64", "String", "String" };
	const char *const words[] = { "    ",
				      cell->name,
				      " ",
				      cell->always ? "" : "Nullable(",
				      types[cell->type],
				      cell->always ? "" : ")",
				      last ? " -- " : ", -- ",
				      cell->meaning,
				      cell->unit[0] ? " [" : "",
				      cell->unit,
				      cell->unit[0] ? "]" : "",
				      "\n" };
	put_words(out, words, sizeof(words) / sizeof(words[0]));
}

void pms_spe_ddl(struct pms_spe_out *out)
{
	static const char *const first[] = { "CREATE TABLE spe (\n" };
	/* What may be missing cannot be sorted by. */
	static const char *const last[] = { ") ENGINE = MergeTree ORDER BY tuple()\n" };
	put_words(out, first, 1);
	for (size_t i = 0; i < out->chosen.count; i++)
		ddl_column(out, &pms_spe_cells[out->chosen.cell[i]], i + 1 == out->chosen.count);
	put_words(out, last, 1);
	pms_spe_out_flush(out);
}
