/* SPDX-License-Identifier: MIT */
/* Writes a bare SPE buffer of records as a program's samples would be, the same for the same seed:
 *     spe_make SEED RECORDS OUT
 * Loads, stores, branches and other operations of some hundred instructions, a few of which make
 * most of the records; data in some thousand cache lines, where from and how long it took to have.
 * Not every record has every packet. */
#include <stdio.h>
#include <stdlib.h>

#include "../vcore/random.h"
#include "pmuscope/spe_write.h"

enum { CODE = 0x400000, ALIGNMENT = 64 };

/* As programs do: half of all from a sixteenth of the places. */
static uint64_t skewed(uint64_t *random, uint64_t n)
{
	return random_below(random, random_below(random, 2) ? n : (n + 15) / 16);
}

static void put_data(struct pms_spe_batch *b, uint64_t *random, uint64_t line)
{
	static const uint16_t sources[] = { 0, 0, 0, 0, 8, 8, 9, 10, 11, 12, 13, 14, 7 };
	static const uint16_t cycles[] = { 4, 4, 5, 6, 12, 14, 60, 70, 90, 120, 300, 180, 30 };
	uint64_t level = random_below(random, 13);
	b->has[0] |= PMS_SPE_HAS_VA | PMS_SPE_HAS_TRANSLATION;
	b->va[0] = 0x0000ffff80000000 + line * 64 + random_below(random, 8) * 8;
	if (!random_below(random, 50))
		b->va[0] |= UINT64_C(0xab) << 56; /* a tag */
	b->translation[0] = (uint16_t)random_below(random, 5);
	b->total[0] = (uint16_t)(b->issue[0] + cycles[level] + skewed(random, 40));
	b->events[0] |= 1 << PMS_SPE_EV_L1D_ACCESS | 1 << PMS_SPE_EV_TLB_ACCESS;
	if (level > 3)
		b->events[0] |= 1 << PMS_SPE_EV_L1D_MISS;
	if (!random_below(random, 20))
		b->events[0] |= 1 << PMS_SPE_EV_TLB_WALK;
	if (!(b->op[0] & 1)) {
		b->has[0] |= PMS_SPE_HAS_SOURCE;
		b->source[0] = sources[level];
	}
	if (!random_below(random, 10)) {
		b->has[0] |= PMS_SPE_HAS_PA;
		b->pa[0] = UINT64_C(1) << 63 | (line * 64 + 0x12345000);
	}
}

static void put_branch(struct pms_spe_batch *b, uint64_t *random)
{
	int taken = random_below(random, 3) != 0;
	b->op[0] = (uint8_t)random_below(random, 4);
	b->events[0] |= (uint64_t)!taken << PMS_SPE_EV_NOT_TAKEN;
	b->events[0] |= (uint64_t)!random_below(random, 12) << PMS_SPE_EV_MISPREDICTED;
	if (!taken)
		return;
	b->has[0] |= PMS_SPE_HAS_TARGET;
	b->target[0] = UINT64_C(1) << 63 | (CODE + skewed(random, 256) * 16);
}

static void make_record(struct pms_spe_batch *b, uint64_t *random, uint64_t time)
{
	uint64_t place = skewed(random, 512), kind = place % 8;
	*b = (struct pms_spe_batch){ .count = 1 };
	b->has[0] = PMS_SPE_HAS_PC | PMS_SPE_HAS_OP | PMS_SPE_HAS_EVENTS | PMS_SPE_HAS_TOTAL |
		    PMS_SPE_HAS_ISSUE | PMS_SPE_HAS_TIME | PMS_SPE_HAS_CONTEXT_EL1;
	b->pc[0] = UINT64_C(1) << 63 | (CODE + place * 4);
	if (place % 64 == 63) /* the kernel's, EL1 */
		b->pc[0] = UINT64_C(0xa0ff800008000000) + place * 4;
	b->events[0] = 1 << PMS_SPE_EV_RETIRED;
	b->context_el1[0] = (uint32_t)(1000 + random_below(random, 2));
	b->issue[0] = (uint16_t)skewed(random, 64);
	b->total[0] = (uint16_t)(b->issue[0] + 1 + random_below(random, 4));
	b->class_[0] = kind < 5 ? 1 : kind == 5 ? 2 : 0;
	b->op[0] = kind < 5 && kind > 2; /* loads, then stores */
	b->time[0] = time;
	if (kind < 5)
		put_data(b, random, skewed(random, 4096));
	else if (kind == 5)
		put_branch(b, random);
	if (!random_below(random, 40))
		b->has[0] &= ~(uint32_t)PMS_SPE_HAS_ISSUE;
	if (!random_below(random, 200))
		b->has[0] &= ~(uint32_t)(PMS_SPE_HAS_TIME | PMS_SPE_HAS_EVENTS | PMS_SPE_HAS_TOTAL);
}

int main(int argc, char **argv)
{
	static struct pms_spe_batch batch;
	static const uint8_t zeros[ALIGNMENT];
	uint8_t bytes[PMS_SPE_RECORD_BYTES];
	if (argc != 4) {
		fprintf(stderr, "usage: spe_make SEED RECORDS OUT\n");
		return 2;
	}
	uint64_t random = strtoull(argv[1], NULL, 10), records = strtoull(argv[2], NULL, 10);
	FILE *out = fopen(argv[3], "wb");
	for (uint64_t i = 0; out && i < records; i++) {
		make_record(&batch, &random, 1000000 + i * 25);
		size_t length = pms_spe_record_write(&batch, 0, NULL, bytes, sizeof(bytes));
		fwrite(bytes, 1, length, out);
		if (length % ALIGNMENT)
			fwrite(zeros, 1, ALIGNMENT - length % ALIGNMENT, out);
	}
	if (!out || fclose(out)) {
		perror(argv[3]);
		return 1;
	}
	return 0;
}
