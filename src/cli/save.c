/* SPDX-License-Identifier: MIT */
#include "save.h"

#include <string.h>

#include "interrupt.h"

int cli_save_check(const struct cli_options *o, const char *path)
{
	struct pms_error err = { 0 };
	if (!path)
		return CLI_DONE;
	if (o->output && !strcmp(path, o->output))
		return cli_usage(NULL, "-o and --save name the same file, %s", path);
	return pms_session_check(path, &err) ? cli_error(&err) : CLI_DONE;
}

void cli_save_begin(struct cli_save *save, const struct cli_options *o, const char *path,
		    const char *command, const struct pms_wanted *wanted)
{
	struct pms_session_view view = { .command = command,
					 .events = wanted->events,
					 .n_events = wanted->n_events,
					 .metrics = wanted->metrics,
					 .n_metrics = wanted->n_metrics,
					 .level = wanted->level,
					 .per_thread = cli_show_options(o, -1).scopes,
					 .all = wanted->all };
	struct pms_error err = { 0 };
	*save = (struct cli_save){ .status = CLI_DONE };
	cli_hold_signals(&save->signals);
	if (path && (o->live.interval ? pms_session_create_durable
				      : pms_session_create)(path, &view, &save->writer, &err))
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
