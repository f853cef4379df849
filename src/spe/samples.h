/* SPDX-License-Identifier: MIT */
/* spe/samples.h - an open file of samples. */
#ifndef PMS_SPE_SAMPLES_H
#define PMS_SPE_SAMPLES_H

#include "spe/history.h"
#include "spe/reader.h"

/** The buffer of a CPU or a thread, while another one is decoded. */
struct pms_samples_stream {
	struct pms_spe_cursor cursor;
	int begun;
	struct pms_spe_record record; /* the beginning of one */
};

/** Some records of one buffer, as they were decoded, before anything is known of their threads. */
struct pms_samples_decoded {
	int status; /* 1; at the end 0 or an error */
	struct pms_error err;
	struct pms_spe_batch records; /* maybe none */
	struct pms_spe_buffer buffer;
	struct pms_perfdata_auxtrace piece; /* the buffer's */
	struct pms_perfdata_time_conv time_conv;
	uint64_t done; /* bytes of the file up to here */
};

struct pms_samples_ahead;

/** A CPU and which core it is. */
struct pms_core_of_cpu {
	int32_t cpu;
	uint32_t seq; /* in the file's list */
	uint64_t midr;
};

struct pms_spe_samples {
	struct pms_spe_samples_options options;
	struct pms_spe_file *file;
	struct pms_perfdata *perfdata; /* the file's; NULL of a bare buffer */
	struct pms_spe_input input;
	struct pms_spe_history history;
	struct pms_core_of_cpu *cores;
	size_t n_cores;
	uint64_t midr;			    /* of the CPUs not in cores; 0: not known */
	struct pms_spe_decoder *decoder;    /* of all streams in turn */
	struct pms_samples_stream *streams; /* by number */
	size_t n_streams;
	size_t stream;		 /* which the decoder is at */
	struct pms_numbers pmus; /* by type, the first of each: rows of the file's PMUs */
	size_t n_pmus;
	uint64_t population[4]; /* by number of the event, from SAMPLE_POP */
	uint64_t without_time, without_tid;
	uint64_t reported;	      /* to progress */
	struct pms_spe_buffer buffer; /* that is being decoded */
	size_t used;		      /* bytes of it */
	struct pms_error damage;      /* that ended the reading; no status: none did */
	int begun;		      /* 1: some were asked for */
	int several;		      /* 1: the file has the buffers of several CPUs or threads */
	size_t n_traces;	      /* pieces of buffers met the first time through, */
	struct pms_perfdata_auxtrace first;  /* of which this came first */
	struct pms_samples_ahead *ahead;     /* the thread that decodes; NULL: the caller's */
	struct pms_samples_decoded own;	     /* where there is no such thread */
	struct pms_samples_decoded *decoded; /* what the batch is of */
	struct pms_spe_samples_batch batch;
};

/** Decode some more. From `buffer` to `damage`, and the file, are this function's alone. */
void pms_samples_decode(struct pms_spe_samples *s, struct pms_samples_decoded *to);

/** ahead.c: let another thread decode, where that pays and is possible. */
void pms_samples_ahead_begin(struct pms_spe_samples *s);
/** Wait for what was decoded next. It is good until the next call. */
struct pms_samples_decoded *pms_samples_ahead_next(struct pms_samples_ahead *ahead);
/** Stop the thread for as long as its file and decoder are looked at. @ahead: NULL: do nothing */
void pms_samples_ahead_hold(struct pms_samples_ahead *ahead);
void pms_samples_ahead_go_on(struct pms_samples_ahead *ahead);
/** End the thread. @ahead: may be NULL */
void pms_samples_ahead_end(struct pms_samples_ahead *ahead);

/** attribute.c: fill the batch's columns for its records. Errors: -PMS_ENOMEM */
int pms_samples_attribute(struct pms_spe_samples *s);

/** How long the file is, in bytes; 0 where that is not known: of a bare buffer from a pipe. */
uint64_t pms_samples_bytes(const struct pms_spe_samples *s);

/** cores.c: take what the file says of its CPUs. Errors: -PMS_ENOMEM */
int pms_samples_cores(struct pms_spe_samples *s, const struct pms_perfdata_info *info);

/** The MIDR_EL1 of @cpu, 0 when not known. */
uint64_t pms_samples_midr(const struct pms_spe_samples *s, int32_t cpu);

/** quality.c: number the PMUs that the file has named by now. Errors: -PMS_ENOMEM */
int pms_samples_pmus(struct pms_spe_samples *s, const struct pms_perfdata_info *info);

/** Note a record that counts SPE's population. Errors: -PMS_ENOMEM */
int pms_samples_population(struct pms_spe_samples *s, const struct pms_perfdata_info *info,
			   const struct pms_perfdata_record *r);

#endif
