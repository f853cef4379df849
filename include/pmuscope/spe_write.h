/* SPDX-License-Identifier: MIT */
/* pmuscope/spe_write.h - Arm Statistical Profiling Extension: records to packets, packets to bytes.
 * Flow: records in a batch -> packets -> [bytes], the way back of pmuscope/spe.h; for tests,
 * samples and tools that change a recording. What is written is read again as it was. Source: Arm
 * Architecture Reference Manual for A-profile (DDI 0487), D18.2.1 to D18.2.9, the headers' figures.
 *
 * Nothing here allocates or keeps state. */
#ifndef PMUSCOPE_SPE_WRITE_H
#define PMUSCOPE_SPE_WRITE_H

#include "pmuscope/spe.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Write one packet of any kind, from its type, index, size (for data sources and events),
 * extended flag and payload. Padding needs its length, a reserved byte its header; the last
 * bytes of a stream, PMS_SPE_TRUNCATED, need header, length and payload. Other fields are
 * ignored.
 * @bytes: room for @room bytes; written only when that suffices
 * Returns the packet's bytes, even where room is short; 0 for an impossible packet: an index or
 * size that its header cannot hold, a payload beyond its size, an extended header where none
 * exists, a reserved byte that begins a packet. */
size_t pms_spe_packet_write(const struct pms_spe_packet *packet, uint8_t *bytes, size_t room);

/** The choices that the document leaves to a writer. All zero: the shortest headers and payloads.
 */
struct pms_spe_form {
	uint32_t extended;   /* enum pms_spe_has: addresses and counters that get a header of two
				bytes */
	uint8_t events_size; /* least SZ of Events, 0 to 3; a larger value takes more */
	uint8_t source_size; /* least SZ of Data Source, 0 or 1 */
};

enum {
	PMS_SPE_RECORD_PACKETS = 15, /* most packets of a record: one per column */
	PMS_SPE_RECORD_BYTES = 99 /* most bytes: every column, headers extended where they can be */
};

/** Make the packets of record @i of @batch: one for each of its columns, in the order of enum
 * pms_spe_has. The last one is Timestamp when the record has a time, else End. Offsets and
 * lengths are as a reader gives them, from the record's offset on. The document fixes only the
 * last packet's place: callers may reorder the others.
 * @packets: room for PMS_SPE_RECORD_PACKETS
 * Returns their number, at least 1; 0 when the batch cannot say what the record had
 * (PMS_SPE_HAS_OTHER, PMS_SPE_HAS_REPEATED, PMS_SPE_HAS_DAMAGE), or a column's value does not
 * fit its packet (CLASS above 3). */
size_t pms_spe_record_packets(const struct pms_spe_batch *batch, size_t i,
			      const struct pms_spe_form *form, struct pms_spe_packet *packets);

/** Write record @i of @batch, without padding.
 * @form:  NULL: the shortest
 * @bytes: room for @room bytes; written only when that suffices, as PMS_SPE_RECORD_BYTES always
 *       do
 * Returns the record's bytes, even where room is short; 0 as pms_spe_record_packets. */
size_t pms_spe_record_write(const struct pms_spe_batch *batch, size_t i,
			    const struct pms_spe_form *form, uint8_t *bytes, size_t room);

#ifdef __cplusplus
}
#endif
#endif
