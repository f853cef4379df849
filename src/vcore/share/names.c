/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "vcore/share/counters.h"
#include "vcore/share/params.h"

const struct pms_param_row pms_param_rows[] = {
#define X(name, least, most, meaning)                                                              \
	{ #name, offsetof(struct pms_params, name), least, most, meaning },
	PMS_PARAMS(X)
#undef X
};
const unsigned pms_param_count = sizeof(pms_param_rows) / sizeof(pms_param_rows[0]);

const struct pms_mechanism_row pms_mechanism_rows[PMS_MECHANISM_COUNT] = {
#define X(id, name, without) { name, without },
	PMS_MECHANISMS(X)
#undef X
};

const char *const pms_counter_names[PMS_COUNTER_COUNT] = {
#define X(name) #name,
	PMS_COUNTERS(X)
#undef X
};
