/* SPDX-License-Identifier: MIT */
/* Prints where each SPE record of a perf.data was, by the library:
 *     spe_where [-s SYMFS] FILE
 *     TIME CPU PID TID NAME OBJECT+OFFSET FUNCTION+OFFSET INNERMOST:LINE<...<FUNCTION:LINE
 * with - for what is not known; and at the end what became of each object. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmuscope/spe_samples.h"
#include "pmuscope/symbol.h"

static void print_frames(const struct pms_symbol *symbol)
{
	for (size_t i = 0; i < symbol->n_frames; i++) {
		const struct pms_frame *f = &symbol->frames[i];
		const char *file = strrchr(f->file, '/');
		printf("%s%s@%s:%u", i ? "<" : "", f->function, file ? file + 1 : f->file, f->line);
	}
	puts(symbol->n_frames ? "" : "-");
}

static void print_record(const struct pms_spe_samples *samples,
			 const struct pms_spe_samples_batch *b, size_t i,
			 struct pms_symbols *symbols)
{
	const struct pms_spe_thread *thread = pms_spe_samples_thread(samples, b->thread[i]);
	struct pms_place place;
	struct pms_symbol symbol;
	if (b->knows[i] & PMS_SPE_KNOWS_NS)
		printf("%" PRIu64 " ", b->ns[i]);
	else
		printf("- ");
	printf("%d %d %d %s ", b->cpu, b->knows[i] & PMS_SPE_KNOWS_PID ? b->pid[i] : -1,
	       b->knows[i] & PMS_SPE_KNOWS_TID ? b->tid[i] : -1,
	       thread && thread->comm[0] ? thread->comm : "-");
	pms_spe_samples_place(samples, b->space[i], pms_spe_canonical(b->records->pc[i]), &place);
	if (place.object)
		printf("%s+0x%" PRIx64 " ", place.object->path, place.offset);
	else
		printf("- ");
	if (pms_symbols_find(symbols, &place, &symbol))
		return;
	printf("%s+0x%" PRIx64 " ", symbol.function, symbol.offset);
	print_frames(&symbol);
}

static int print_all(struct pms_spe_samples *samples, struct pms_symbols *symbols,
		     struct pms_error *err)
{
	const struct pms_spe_samples_batch *batch;
	int rc;
	while ((rc = pms_spe_samples_next(samples, &batch, err)) > 0)
		for (size_t i = 0; i < batch->records->count; i++)
			print_record(samples, batch, i, symbols);
	for (size_t i = 0; i < pms_spe_samples_n_objects(samples); i++) {
		const struct pms_object *object = pms_spe_samples_object(samples, i);
		printf("object %s %s\n", object->path,
		       pms_symbols_state_name(pms_symbols_state(symbols, object)));
	}
	return rc;
}

int main(int argc, char **argv)
{
	struct pms_symbols_options options = { 0 };
	struct pms_spe_samples *samples = NULL;
	struct pms_symbols *symbols = NULL;
	struct pms_error err = { 0 };
	int option, rc;
	while ((option = getopt(argc, argv, "s:")) != -1)
		options.symfs = optarg;
	if (optind + 1 != argc)
		return 2;
	rc = pms_spe_samples_open(argv[optind], NULL, &samples, &err);
	if (!rc)
		rc = pms_symbols_open(&options, &symbols, &err);
	if (!rc)
		rc = print_all(samples, symbols, &err);
	if (rc)
		fprintf(stderr, "%s: %s\n", err.source, err.text);
	pms_symbols_close(symbols);
	pms_spe_samples_close(samples);
	return rc != 0;
}
