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

/**
 * Write one packet of any kind: its type, index, size (of data sources and events), extended and
 * payload; of padding, its length; of a reserved byte, its header, and of the last bytes of a
 * stream, PMS_SPE_TRUNCATED, that and length and payload. Other fields follow from these.
 * @bytes: room for @room; written to only when that is enough
 * Returns the bytes that the packet has, be there room or not; 0 when there is no such packet: an
 *         index or a size that its header cannot hold, a payload beyond its size, an extended
 * header where none exists, a reserved byte that begins a packet.
 */
size_t pms_spe_packet_write(const struct pms_spe_packet *packet, uint8_t *bytes, size_t room);

/** How a record is to be written, where the document leaves a choice. All zero: headers and
 * payloads as short as they can be. */
struct pms_spe_form {
	uint32_t extended; /* enum pms_spe_has: addresses and counters to get a header of two bytes
			    */
	uint8_t events_size; /* SZ of Events at least, 0 to 3; more where the value asks for it */
	uint8_t source_size; /* the same of Data Source, 0 or 1 */
};

enum {
	PMS_SPE_RECORD_PACKETS = 15, /* most packets of a record: one a column */
	PMS_SPE_RECORD_BYTES = 99 /* most bytes: every column, headers extended where they can be */
};

/**
 * The packets of record @i of @batch: one for each column that it has, in the order of enum
 * pms_spe_has but for the last: Timestamp when it has a time, else End. Their offsets and lengths
 * are those that a reader gives, from the record's offset on. The document asks for no order but
 * of the last, so that a caller may change that of the others.
 * @packets: room for PMS_SPE_RECORD_PACKETS
 * Returns their number, at least 1; 0 when the batch cannot say what the record consisted of
 *         (PMS_SPE_HAS_OTHER, PMS_SPE_HAS_REPEATED, PMS_SPE_HAS_DAMAGE) or a column holds what its
 *         packet cannot (CLASS above 3).
 */
size_t pms_spe_record_packets(const struct pms_spe_batch *batch, size_t i,
			      const struct pms_spe_form *form, struct pms_spe_packet *packets);

/**
 * Write record @i of @batch, without padding.
 * @form:  NULL: the shortest
 * @bytes: room for @room; written to only when that is enough, as PMS_SPE_RECORD_BYTES always are
 * Returns the record's bytes, be there room or not; 0 as pms_spe_record_packets does.
 */
size_t pms_spe_record_write(const struct pms_spe_batch *batch, size_t i,
			    const struct pms_spe_form *form, uint8_t *bytes, size_t room);

#ifdef __cplusplus
}
#endif
#endif
