/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over the files of a corpus directory: a crash that a fuzzer found once cannot
 * come back unseen. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 1 << 20 };

static int replay(const char *directory, const char *name, uint8_t *buffer)
{
	char path[4096];
	int length = snprintf(path, sizeof(path), "%s/%s", directory, name);
	FILE *file = length > 0 && (size_t)length < sizeof(path) ? fopen(path, "rb") : NULL;

	if (!file) {
		perror(name);
		return 1;
	}
	size_t size = fread(buffer, 1, INPUT_MAX, file);
	fclose(file);
	LLVMFuzzerTestOneInput(buffer, size);
	return 0;
}

int main(int argc, char **argv)
{
	DIR *corpus = argc == 2 ? opendir(argv[1]) : NULL;
	uint8_t *buffer = malloc(INPUT_MAX);
	int failed = 0;
	int count = 0;

	if (!corpus || !buffer) {
		fprintf(stderr, "usage: %s CORPUS-DIRECTORY\n", argv[0]);
		return 2;
	}
	for (struct dirent *entry = readdir(corpus); entry; entry = readdir(corpus)) {
		if (entry->d_name[0] == '.')
			continue;
		failed |= replay(argv[1], entry->d_name, buffer);
		count++;
	}
	closedir(corpus);
	free(buffer);
	printf("%d inputs\n", count);
	return failed || !count;
}
