/* SPDX-License-Identifier: MIT */
/* vcore/model/predict.h - the branch prediction unit: target buffers, direction, indirect targets,
 * return stack. Asked once for each branch; on a wrong path with a copy of the speculative state.
 */
#ifndef PMS_VCORE_MODEL_PREDICT_H
#define PMS_VCORE_MODEL_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/btb.h"
#include "vcore/model/history.h"
#include "vcore/model/indirect.h"
#include "vcore/model/ras.h"
#include "vcore/model/tage.h"
#include "vcore/model/uop.h"

/** What fetching ahead changes and a flush must restore: a plain value. */
struct pms_speculation {
	struct pms_history history;
	struct pms_ras ras;
};

struct pms_predictor {
	struct pms_tage tage;
	struct pms_indirect indirect;
	struct pms_btb btb;
	struct pms_speculation now; /* of the right path */
};

struct pms_prediction {
	uint64_t next; /* where fetch goes on */
	bool taken;
	uint8_t btb; /* PMS_BTB_*: where a taken branch's target came from; a miss is found at
			decode */
	struct pms_tage_look tage;
	struct pms_indirect_look indirect;
};

int pms_predictor_init(struct pms_predictor *predictor, const struct pms_params *params);
void pms_predictor_release(struct pms_predictor *predictor);

/**
 * Predict a branch and move the return stack of @state.
 * @state: the predictor's own, or a wrong path's copy
 */
void pms_predict(struct pms_predictor *predictor, struct pms_speculation *state, uint64_t pc,
		 const struct pms_uop *uop, struct pms_prediction *out);

/** Enter an outcome into the history of @state: the true one, or a wrong path's prediction. */
void pms_predict_follow(struct pms_speculation *state, uint64_t pc, const struct pms_uop *uop,
			bool taken, uint64_t next);

/** Learn what a branch of the right path did. Call before pms_predict_follow. */
void pms_predict_learn(struct pms_predictor *predictor, uint64_t pc, const struct pms_uop *uop,
		       const struct pms_prediction *prediction, bool taken, uint64_t next);

#endif
