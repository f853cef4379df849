/* SPDX-License-Identifier: MIT */
/* ELF files put together field by field for the tests, at the offsets that the ABI gives. */
#ifndef PMS_TESTS_MACHINE_ELF_IMAGE_H
#define PMS_TESTS_MACHINE_ELF_IMAGE_H

#include <stdint.h>
#include <string.h>

enum { IMAGE_SIZE = 1024 };

struct image {
	uint8_t bytes[IMAGE_SIZE];
};

static inline void put(struct image *image, size_t at, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		image->bytes[at + i] = (uint8_t)(value >> 8 * i);
}

/* A 64-bit little-endian header: type 2 is an executable, machine 183 AArch64. */
static inline void image_header(struct image *image, unsigned type, unsigned machine)
{
	memset(image, 0, sizeof(*image));
	memcpy(image->bytes, "\177ELF\2\1\1", 7);
	put(image, 16, type, 2);
	put(image, 18, machine, 2);
	put(image, 20, 1, 4);
	put(image, 52, 64, 2); /* e_ehsize */
}

/* One program header of type PT_INTERP (3) at 64, and the path at 128. */
static inline void image_interp(struct image *image, const char *path, uint64_t size)
{
	put(image, 32, 64, 8); /* e_phoff */
	put(image, 54, 56, 2); /* e_phentsize */
	put(image, 56, 1, 2);  /* e_phnum */
	put(image, 64, 3, 4);
	put(image, 64 + 8, 128, 8);   /* p_offset */
	put(image, 64 + 32, size, 8); /* p_filesz */
	memcpy(image->bytes + 128, path, strlen(path) + 1);
}

/* Two section headers at 256: dynamic symbols (11) at 512, their strings (3) at 768. One symbol,
 * after the empty one, is `name` in section `section` (0: not defined here). */
static inline void image_symbol(struct image *image, const char *name, unsigned section)
{
	put(image, 40, 256, 8); /* e_shoff */
	put(image, 58, 64, 2);	/* e_shentsize */
	put(image, 60, 2, 2);	/* e_shnum */
	put(image, 256 + 4, 11, 4);
	put(image, 256 + 24, 512, 8); /* sh_offset */
	put(image, 256 + 32, 48, 8);  /* sh_size: two symbols of 24 bytes */
	put(image, 256 + 40, 1, 4);   /* sh_link */
	put(image, 320 + 4, 3, 4);
	put(image, 320 + 24, 768, 8);
	put(image, 320 + 32, 2 + strlen(name), 8);
	put(image, 512 + 24, 1, 4); /* st_name */
	put(image, 512 + 24 + 6, section, 2);
	memcpy(image->bytes + 769, name, strlen(name) + 1);
}

#endif
