/* SPDX-License-Identifier: MIT */
/* Report a truncated mapped file. From look_for on, only functions that are safe in signal
 * handlers are called. */
#include "mapped.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "interrupt.h"

enum { LINE = 4352 }; /* of /proc/self/maps: numbers and a path; longer lines are cut */

/* Read a hexadecimal number; *text moves behind it. */
static uintptr_t take_hex(const char **text)
{
	uintptr_t value = 0;
	for (;; ++*text) {
		char c = **text;
		if (c >= '0' && c <= '9')
			value = value << 4 | (uintptr_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uintptr_t)(c - 'a' + 10);
		else
			return value;
	}
}

/* Returns the path on a line "from-to rwxp offset device inode path", if the line maps a file at
 * @address. */
static const char *path_on(const char *line, uintptr_t address)
{
	const char *at = line;
	uintptr_t from = take_hex(&at);
	at += *at == '-';
	uintptr_t to = take_hex(&at);
	return address >= from && address < to ? strchr(at, '/') : NULL;
}

/* Replace control characters, which must not reach the terminal. */
static void clean(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

/* Find the file that is mapped at @address. Returns its path within @line, or NULL. */
static const char *look_for(uintptr_t address, char line[LINE])
{
	const char *path = NULL;
	char bytes[1024];
	size_t n = 0;
	ssize_t got;
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && !path && (got = read(fd, bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < got && !path; i++) {
			if (bytes[i] != '\n') {
				line[n] = bytes[i];
				n += n < LINE - 1;
				continue;
			}
			line[n] = 0;
			n = 0;
			path = path_on(line, address);
		}
	if (fd >= 0)
		close(fd);
	return path;
}

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return; /* nobody is left to tell */
}

/* Report the truncated file. For any other fault, restore the default action, which ends us. */
static void tell_and_end(int number, siginfo_t *info, void *context)
{
	char line[LINE];
	(void)context;
	if (info->si_code != BUS_ADRERR) {
		raise(number);
		return;
	}
	const char *path = look_for((uintptr_t)info->si_addr, line);
	if (!path) {
		raise(number);
		return;
	}
	clean(line);
	cli_guard_remove();
	say("pmuscope: ");
	say(path);
	say(": was cut while it was read\n  read it again when nothing writes to it\n");
	_exit(CLI_USAGE);
}

void cli_watch_mapped(void)
{
	struct sigaction before, action = { .sa_flags = (int)(SA_SIGINFO | SA_RESETHAND) };
	action.sa_sigaction = tell_and_end;
	sigemptyset(&action.sa_mask);
	if (!sigaction(SIGBUS, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(SIGBUS, &action, NULL);
}
