/* SPDX-License-Identifier: MIT */
#include "base/memstream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* What a stream has written so far. */
struct written {
	char *text;
	size_t size, room; /* one byte of the room is kept for the final zero */
	int failed;
	char **out_text;
	size_t *out_size;
};

static int make_room(struct written *w, size_t more)
{
	size_t needed, room = w->room ? w->room : 128;
	if (__builtin_add_overflow(w->size, more, &needed) || needed >= SIZE_MAX / 2)
		return -PMS_ENOMEM;
	while (room <= needed)
		room *= 2;
	if (room == w->room)
		return 0;
	char *text = realloc(w->text, room);
	if (!text)
		return -PMS_ENOMEM;
	w->text = text;
	w->room = room;
	return 0;
}

static ssize_t add(void *cookie, const char *bytes, size_t n)
{
	struct written *w = cookie;
	w->failed |= make_room(w, n) != 0;
	if (w->failed) /* text after a gap is useless */
		return 0;
	memcpy(w->text + w->size, bytes, n);
	w->size += n;
	return (ssize_t)n;
}

/* Hand the text to the caller, if it is complete. */
static int give(void *cookie)
{
	struct written *w = cookie;
	int failed = w->failed;
	w->text[w->size] = 0;
	if (failed) {
		free(w->text);
	} else {
		*w->out_text = w->text;
		*w->out_size = w->size;
	}
	free(w);
	return failed ? -1 : 0;
}

FILE *pms_memstream_open(char **text, size_t *size)
{
	static const cookie_io_functions_t functions = { .write = add, .close = give };
	struct written *w = calloc(1, sizeof(*w));
	*text = NULL;
	*size = 0;
	if (!w || make_room(w, 0)) {
		free(w);
		return NULL;
	}
	w->out_text = text;
	w->out_size = size;
	FILE *stream = fopencookie(w, "w", functions);
	if (!stream) {
		free(w->text);
		free(w);
	}
	return stream;
}

int pms_memstream_close(FILE *stream)
{
	int failed = fflush(stream) || ferror(stream);
	failed |= fclose(stream) != 0;
	return failed ? -PMS_ENOMEM : 0;
}
