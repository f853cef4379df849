/* SPDX-License-Identifier: MIT */
/* Anything is linted, or refused with an error that has a place; each finding has all its parts. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmuscope/lint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_through(const struct pms_lint *lint)
{
	for (size_t i = 0; i < pms_lint_findings(lint); i++) {
		const struct pms_lint_finding *finding = pms_lint_finding(lint, i);

		assert(finding->file[0] && finding->rule[0] && finding->text[0]);
		assert(finding->path);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	const char *paths[] = { path };
	struct pms_lint *lint = NULL;
	struct pms_error err = { 0 };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size) {
		int rc = pms_lint_files(paths, 1, &lint, &err);

		if (!rc)
			read_through(lint);
		else
			assert(err.status == (enum pms_status) - rc && err.text[0]);
		pms_lint_free(lint);
	}
	close(fd);
	return 0;
}
