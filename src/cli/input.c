/* SPDX-License-Identifier: MIT */
#include "input.h"

int cli_input_open(const struct cli_options *o, const char *command, struct pms_measurement **out)
{
	const struct pms_measurement_options options = { .source = PMS_SOURCE_FILE,
							 .file = o->command[0],
							 .mcpu = o->mcpu,
							 .spec = o->spec,
							 .wanted = cli_wanted(o, 0),
							 .note = cli_take_note };
	struct pms_error err = { 0 };
	*out = NULL;
	if (!o->command[0])
		return cli_usage(command, "no file of counts; - is standard input");
	if (o->command[1])
		return cli_usage(command,
				 "%s is too much: one file at a time; to compare two runs take "
				 "pmuscope report -j of each",
				 o->command[1]);
	return pms_measurement_open(&options, out, &err) ? cli_error(&err) : CLI_DONE;
}

int cli_input_total(struct pms_measurement *input, struct pms_counts **out)
{
	struct pms_error err = { 0 };
	return pms_measurement_read(input, NULL, NULL, out, &err) ? cli_error(&err) : CLI_DONE;
}

int cli_input_interval(struct pms_measurement *input, size_t i, struct pms_counts **out)
{
	struct pms_error err = { 0 };
	return pms_measurement_interval(input, i, out, &err) ? cli_error(&err) : CLI_DONE;
}
