/* SPDX-License-Identifier: MIT */
/* show/spe_text.h - texts of SPE reports for people. */
#ifndef PMS_SHOW_SPE_TEXT_H
#define PMS_SHOW_SPE_TEXT_H

#include "pmuscope/spe_report.h"
#include "show/text.h"

enum { PMS_SPE_TEXT = 1024, PMS_SPE_SHARE = 2 * PMS_NUMBER_MAX }; /* bytes */

/** Append a word, with @before in front unless the text is empty. NULL: append nothing. */
void pms_spe_append(char text[PMS_SPE_TEXT], const char *before, const char *word);

/** Write the measure @name of a row; "-" where it is undefined. */
void pms_spe_measure_text(char text[PMS_NUMBER_MAX], const struct pms_spe_report *report,
			  const struct pms_spe_row *row, const char *name);

/** Sort the sources that loads waited for into @from. Returns their number. */
size_t pms_spe_waited_for(struct pms_spe_from from[PMS_SPE_FROM_MOST],
			  const struct pms_spe_row *row);

/** Write "dram 61 %", a share of the row's wait. */
void pms_spe_share_text(char text[PMS_SPE_SHARE], const struct pms_spe_report *report,
			const struct pms_spe_row *row, const struct pms_spe_from *from);

/** Append "list.c:42 walk", a line with its function, or as much as is known. */
void pms_spe_code_text(char text[PMS_SPE_TEXT], const struct pms_spe_code *code);

/** Write all keys of the row. */
void pms_spe_about_text(char text[PMS_SPE_TEXT], const struct pms_spe_report *report,
			const struct pms_spe_row *row);

#endif
