/* SPDX-License-Identifier: MIT */
/* vcore/model/predict.h - the branch prediction unit: target buffers, direction, indirect targets,
 * return stack. Asked once for each branch. */
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

/** The predictor's state that fetching ahead changes. */
struct pms_speculation {
	struct pms_history history;
	struct pms_ras ras;
};

struct pms_predictor {
	struct pms_tage tage;
	struct pms_indirect indirect;
	struct pms_btb btb;
	bool asks_path;		    /* the path predicts indirect branches */
	bool returns_by_path;	    /* ... and returns whose address fell off the stack */
	struct pms_speculation now; /* state on the right path; wrong paths restore the stack */
};

struct pms_prediction {
	uint64_t next; /* address where fetch goes on */
	bool taken;
	bool runs_on;	/* fetch runs on past the branch: not taken, or no target known */
	bool by_path;	/* for branches that are not conditional: the indirect predictor was
			 * asked, and must learn */
	bool overrides; /* ... and named another target than the buffers, which answer first */
	uint8_t btb;	/* PMS_BTB_*: source of a taken branch's target; decode finds a miss */
	struct pms_tage_look tage;
	struct pms_indirect_look indirect;
};

int pms_predictor_init(struct pms_predictor *predictor, const struct pms_params *params);
void pms_predictor_release(struct pms_predictor *predictor);

/** Predict a branch of the right path and move the return stack. @second: it is a jump predicted
 * together with the branch before it (lead.h). */
void pms_predict(struct pms_predictor *predictor, uint64_t pc, const struct pms_uop *uop,
		 bool second, struct pms_prediction *out);

/**
 * Predict the target of a taken branch on a wrong path, from the target buffers and the return
 * stack, which moves. Directions on wrong paths come from pms_tage_usual. So wrong paths need no
 * histories; following those would double the model's time. Writes next, taken and btb of @out.
 */
void pms_predict_taken(struct pms_predictor *predictor, uint64_t pc, const struct pms_uop *uop,
		       struct pms_prediction *out);

/**
 * Put a wrong prediction of a branch right, where the core's knowledge of this kind of branch is
 * perfect.
 * @next: where the branch goes
 * Returns whether it was put right.
 */
bool pms_predict_knows(struct pms_predictor *predictor, const struct pms_params *params,
		       uint64_t pc, const struct pms_uop *uop, uint64_t next,
		       struct pms_prediction *prediction);

/** Returns the cycles beyond one until prediction has a target from a buffer (PMS_BTB_*), or
 * until decode finds it. */
static inline unsigned pms_btb_bubble(const struct pms_params *params, int btb)
{
	if (__builtin_expect(btb == PMS_BTB_NANO, 1))
		return 0;
	return btb == PMS_BTB_MAIN   ? params->btb_main_bubble
	       : btb == PMS_BTB_MISS ? params->decode_redirect
				     : params->btb_far_bubble;
}

/** Returns the same cycles for a branch, to its predicted target. */
static inline unsigned pms_predict_bubble(const struct pms_params *params,
					  const struct pms_prediction *prediction)
{
	if (prediction->runs_on)
		return 0;
	unsigned bubble = pms_btb_bubble(params, prediction->btb);
	if (prediction->overrides && bubble < params->indirect_bubble)
		bubble = params->indirect_bubble;
	return bubble;
}

/** Enter a branch's outcome into the history. */
void pms_predict_follow(struct pms_predictor *predictor, uint64_t pc, const struct pms_uop *uop,
			bool taken, uint64_t next);

/** Learn what a branch of the right path did. Call before pms_predict_follow. */
void pms_predict_learn(struct pms_predictor *predictor, uint64_t pc, const struct pms_uop *uop,
		       const struct pms_prediction *prediction, bool taken, uint64_t next);

#endif
