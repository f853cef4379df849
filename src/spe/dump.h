/* SPDX-License-Identifier: MIT */
/* spe/dump.h - what the lines of packets and of records have in common. */
#ifndef PMS_SPE_DUMP_H
#define PMS_SPE_DUMP_H

#include "pmuscope/spe.h"
#include "spe/line.h"

/** The security state of an address. */
void pms_dump_security(struct pms_lines *l, const char *key, uint64_t payload);

/** The names of the events that are set. */
void pms_dump_events(struct pms_lines *l, const char *key, uint64_t value);

/** The fields of an operation. */
void pms_dump_operation(struct pms_lines *l, const struct pms_spe_operation *o, uint8_t payload);

/** Write out the lines if they are more than @above bytes. Errors: -PMS_EIO */
int pms_dump_flush(const struct pms_spe_dump_options *options, struct pms_lines *l, size_t above,
		   struct pms_error *err);

#endif
