/* SPDX-License-Identifier: MIT */
/* pmuscope/pmuscope.h - the whole public API. */
#ifndef PMUSCOPE_PMUSCOPE_H
#define PMUSCOPE_PMUSCOPE_H

#include "pmuscope/analyse.h"
#include "pmuscope/annotate.h"
#include "pmuscope/beside.h"
#include "pmuscope/catalog.h"
#include "pmuscope/check.h"
#include "pmuscope/collect.h"
#include "pmuscope/core.h"
#include "pmuscope/counts.h"
#include "pmuscope/error.h"
#include "pmuscope/export.h"
#include "pmuscope/fold.h"
#include "pmuscope/formula.h"
#include "pmuscope/lint.h"
#include "pmuscope/live.h"
#include "pmuscope/measurement.h"
#include "pmuscope/object.h"
#include "pmuscope/perfdata.h"
#include "pmuscope/plan.h"
#include "pmuscope/profile.h"
#include "pmuscope/region.h"
#include "pmuscope/relation.h"
#include "pmuscope/session.h"
#include "pmuscope/show.h"
#include "pmuscope/spe.h"
#include "pmuscope/spe_export.h"
#include "pmuscope/spe_samples.h"
#include "pmuscope/spe_report.h"
#include "pmuscope/spe_write.h"
#include "pmuscope/symbol.h"
#include "pmuscope/validate.h"
#include "pmuscope/version.h"
#include "pmuscope/where.h"

#endif
