/* SPDX-License-Identifier: MIT */
#include "save.h"

#include <string.h>

#include "interrupt.h"

int cli_save_check(const struct cli_options *o)
{
	struct pms_error err = { 0 };
	if (!o->save)
		return CLI_DONE;
	if (o->output && !strcmp(o->save, o->output))
		return cli_usage(NULL, "-o and --save name the same file, %s", o->save);
	return pms_session_check(o->save, &err) ? cli_error(&err) : CLI_DONE;
}

void cli_save_begin(struct cli_save *save, const struct cli_options *o, const char *command)
{
	struct pms_session_view view = { .command = command,
					 .events = (const char *const *)o->events.words,
					 .n_events = o->events.count,
					 .metrics = (const char *const *)o->metrics.words,
					 .n_metrics = o->metrics.count,
					 .level = o->level,
					 .per_thread = cli_show_options(o, -1).scopes,
					 .all = o->all };
	struct pms_error err = { 0 };
	*save = (struct cli_save){ .status = CLI_DONE };
	cli_hold_signals(&save->signals);
	if (o->save && (o->live.interval ? pms_session_create_durable
					 : pms_session_create)(o->save, &view, &save->writer, &err))
		save->status = cli_error(&err);
}

void cli_save_add(struct cli_save *save, const struct pms_counts *counts)
{
	struct pms_error err = { 0 };
	if (!save->writer || !pms_session_add(save->writer, counts, &err))
		return;
	save->status = cli_error(&err);
	pms_session_discard(save->writer);
	save->writer = NULL;
}

int cli_save_end(struct cli_save *save, int keep)
{
	struct pms_error err = { 0 };
	if (!keep)
		pms_session_discard(save->writer);
	else if (save->writer && pms_session_finish(save->writer, &err))
		save->status = cli_error(&err);
	sigprocmask(SIG_SETMASK, &save->signals, NULL);
	return save->status;
}
