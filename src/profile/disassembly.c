/* SPDX-License-Identifier: MIT */
/* objdump is a program of its own, not libopcodes: a file that it stumbles over does no harm here.
 * It is given the opened file, never its name, and no shell is between. */
#include "profile/disassembly.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/regular.h"
#include "pmuscope/error.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { CHILD_FILE = 3, MOST_PROGRAMS = 6 };

/* Which programs can read which machine's files, the most fitting first. */
static const struct {
	unsigned machine; /* 0: any */
	const char *programs[MOST_PROGRAMS];
	const char *because;
} tools[] = {
	{ EM_AARCH64,
	  { "aarch64-linux-gnu-objdump", "objdump", "llvm-objdump", "llvm-objdump-14" },
	  "no objdump reads AArch64 here: apt install binutils-aarch64-linux-gnu" },
	{ EM_RISCV,
	  { "riscv64-linux-gnu-objdump", "objdump", "llvm-objdump", "llvm-objdump-14" },
	  "no objdump reads RISC-V here: apt install binutils-riscv64-linux-gnu" },
	{ 0,
	  { "objdump", "llvm-objdump", "llvm-objdump-14" },
	  "no objdump reads the program here: apt install binutils" },
};

/* Returns the row of tools for the machine of an ELF file. */
static size_t tools_of(int fd)
{
	unsigned char head[20] = { 0 };
	if (pread(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head))
		return COUNT(tools) - 1;
	unsigned machine = head[EI_DATA] == ELFDATA2MSB ? head[18] * 256u + head[19]
							: head[19] * 256u + head[18];
	size_t i = 0;
	while (tools[i].machine && tools[i].machine != machine)
		i++;
	return i;
}

/* Start a program whose output goes to @out. Returns 0 or an errno. */
static int start(const char *program, char *const *argv, int fd, int out, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	char *env[] = { (char[]){ "LC_ALL=C" }, NULL };
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fd, CHILD_FILE);
	int error = posix_spawnp(pid, program, &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static long now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Read what the program writes, up to a limit of bytes and of time. Returns the text, to be freed;
 * NULL: out of memory. */
static char *read_all(int fd)
{
	const long end = now_ms() + 1000L * PMS_MOST_DISASSEMBLY_SECONDS;
	size_t n = 0, room = 1 << 16;
	char *text = malloc(room);
	while (text) {
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		long left = end - now_ms();
		if (n + 1 == room) {
			char *more =
				room < PMS_MOST_DISASSEMBLY_BYTES ? realloc(text, 2 * room) : NULL;
			if (!more)
				break;
			text = more;
			room *= 2;
		}
		if (left <= 0 || poll(&ready, 1, (int)left) <= 0)
			break;
		ssize_t got = read(fd, text + n, room - 1 - n);
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	if (text)
		text[n] = 0;
	return text;
}

/* Returns the program's output, to be freed; NULL: it could not be run, or memory ran out. */
static char *run(const char *program, int fd, uint64_t first, uint64_t end)
{
	char from[48], to[48];
	int fds[2];
	pid_t pid;
	snprintf(from, sizeof(from), "--start-address=0x%" PRIx64, first);
	snprintf(to, sizeof(to), "--stop-address=0x%" PRIx64, end);
	char *argv[] = { (char *)program,
			 (char[]){ "-d" },
			 (char[]){ "--no-show-raw-insn" },
			 from,
			 to,
			 (char[]){ "/proc/self/fd/3" },
			 NULL };
	if (pipe2(fds, O_CLOEXEC))
		return NULL;
	int error = start(program, argv, fd, fds[1], &pid);
	close(fds[1]);
	char *text = error ? NULL : read_all(fds[0]);
	close(fds[0]);
	if (!error) {
		kill(pid, SIGKILL); /* it ended, or took too long */
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return text;
}

/* Read "  10314:\tldr\tx0, [x1]": returns the instruction's text, NULL for other lines. */
static char *parse_line(char *line, uint64_t *address)
{
	char *at = line + strspn(line, " "), *end;
	if (!*at || strspn(at, "0123456789abcdef") == 0)
		return NULL;
	*address = strtoull(at, &end, 16);
	if (*end != ':' || (end[1] != '\t' && end[1] != ' '))
		return NULL;
	end += 1 + strspn(end + 1, " \t");
	for (char *tab = end; (tab = strchr(tab, '\t'));)
		*tab = ' ';
	return *end ? end : NULL;
}

static int add_row(struct pms_disassembly *d, uint64_t address, const char *text)
{
	struct pms_instruction *rows = pms_array_room(d->rows, d->n, sizeof(*rows));
	if (!rows)
		return -PMS_ENOMEM;
	d->rows = rows;
	rows[d->n++] = (struct pms_instruction){ address, text };
	return 0;
}

/* Take the instructions out of the output, in ascending order. */
static int parse(struct pms_disassembly *d, uint64_t first, uint64_t end)
{
	char *rest;
	int rc = 0;
	for (char *line = strtok_r(d->text, "\n", &rest); line && !rc;
	     line = strtok_r(NULL, "\n", &rest)) {
		uint64_t address;
		const char *text = parse_line(line, &address);
		if (text && address >= first && address < end &&
		    (!d->n || address > d->rows[d->n - 1].address))
			rc = add_row(d, address, text);
	}
	return rc;
}

int pms_disassemble(const char *path, uint64_t first, uint64_t end, struct pms_disassembly *out,
		    const char **because)
{
	int rc = 0, fd = pms_regular_open(path);
	*out = (struct pms_disassembly){ 0 };
	*because = fd < 0 ? "the program's file cannot be read" : NULL;
	if (fd < 0)
		return 0;
	size_t row = tools_of(fd);
	for (size_t i = 0; i < MOST_PROGRAMS && tools[row].programs[i] && !out->n && !rc; i++) {
		free(out->text);
		out->text = run(tools[row].programs[i], fd, first, end);
		if (out->text)
			rc = parse(out, first, end);
		if (out->n)
			out->program = tools[row].programs[i];
	}
	close(fd);
	if (!out->n)
		*because = tools[row].because;
	if (rc)
		pms_disassembly_release(out);
	return rc;
}

void pms_disassembly_release(struct pms_disassembly *d)
{
	free(d->rows);
	free(d->text);
	*d = (struct pms_disassembly){ 0 };
}
