/* SPDX-License-Identifier: MIT */
/* How a program may live and end: `life WHAT [ARGUMENT]`, see the table at the end. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile int *volatile nowhere = (volatile int *)16;

/* Exactly 3 instructions a turn. */
static void turns(long n)
{
	__asm__ volatile("1: nop\n\tsubs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
}

static int do_exit(const char *argument)
{
	return atoi(argument);
}

static int do_abort(const char *argument)
{
	(void)argument;
	abort();
}

static int do_fault(const char *argument)
{
	(void)argument;
	*nowhere = 1;
	return 0;
}

static int do_undefined(const char *argument)
{
	(void)argument;
	__asm__ volatile(".inst 0x04bf57e0"); /* rdvl x0, #31: SVE */
	return 0;
}

static sigjmp_buf caught;
static void on_fault(int number)
{
	siglongjmp(caught, number);
}

/* Faults that the program survives. */
static int do_catch(const char *argument)
{
	volatile int left = atoi(argument);
	signal(SIGSEGV, on_fault);
	while (left > 0) {
		if (!sigsetjmp(caught, 1))
			*nowhere = 1;
		left--;
	}
	return 0;
}

/* The child runs many more instructions than the parent. */
static int do_fork(const char *argument)
{
	pid_t pid = fork();
	if (!pid) {
		turns(atol(argument));
		_exit(0);
	}
	int status = -1;
	waitpid(pid, &status, 0);
	return status;
}

/* Neither waits for the other. */
static int do_part(const char *argument)
{
	(void)argument;
	fork();
	_exit(0);
}

static int do_spawn(const char *argument)
{
	pid_t pid;
	int status = -1;
	char *argv[] = { (char *)argument, NULL };
	if (posix_spawn(&pid, argument, NULL, NULL, argv, environ))
		return 9;
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static int do_exec(const char *argument)
{
	char *argv[] = { (char *)argument, (char *)"executed", NULL };
	execv(argument, argv);
	turns(1000000); /* it failed: this is still counted */
	return 8;
}

static void *thread_main(void *argument)
{
	turns((long)argument);
	return NULL;
}

static void *named_main(void *argument)
{
	pthread_setname_np(pthread_self(), "second");
	return thread_main(argument);
}

/* Four at once, each 100000 turns longer than the last; the second has a name. */
static int do_threads(const char *argument)
{
	pthread_t threads[4];
	for (long i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, i == 1 ? named_main : thread_main,
				   (void *)(100000 * (i + 1) + atol(argument))))
			return 9;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* One after the other, so that QEMU gives them the same index again. */
static int do_relay(const char *argument)
{
	for (int i = 0; i < atoi(argument); i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, thread_main, (void *)10))
			return 9;
		pthread_join(thread, NULL);
	}
	return 0;
}

/* The process ends while threads still run. */
static int do_leave(const char *argument)
{
	pthread_t thread;
	(void)argument;
	pthread_create(&thread, NULL, thread_main, (void *)(1L << 60));
	turns(1000000);
	exit(4);
}

static int do_spin(const char *argument)
{
	puts("ready");
	fflush(stdout);
	turns(atol(argument));
	return 0;
}

static int do_wait(const char *argument)
{
	char byte;
	(void)argument;
	puts("ready");
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	return 0;
}

static void on_signal(int number)
{
	_exit(40 + number);
}

static int do_handle(const char *argument)
{
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	return do_spin(argument);
}

static volatile sig_atomic_t ticks;
static void on_tick(int number)
{
	ticks += number == SIGALRM;
}

/* Handlers that come in between, wherever the loop is. */
static int do_ticks(const char *argument)
{
	struct itimerval every = { { 0, 500 }, { 0, 500 } };
	signal(SIGALRM, on_tick);
	setitimer(ITIMER_REAL, &every, NULL);
	while (ticks < atoi(argument))
		turns(1000);
	return 0;
}

static int do_output(const char *argument)
{
	for (long n = atol(argument); n > 0; n--)
		putchar('x');
	return fflush(stdout) ? 1 : 0;
}

static int do_copy(const char *argument)
{
	(void)argument;
	for (int c; (c = getchar()) != EOF;)
		putchar(c);
	return 0;
}

/* The lowest descriptor that is free, and what the environment is. */
static int do_inherit(const char *argument)
{
	(void)argument;
	printf("%d\n", open("/dev/null", O_RDONLY));
	for (char **e = environ; *e; e++)
		puts(*e);
	return 0;
}

/* Code that changes while it runs: returns @argument. */
static int do_patch(const char *argument)
{
	unsigned *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sum = 0;
	for (int i = 0; i < atoi(argument); i++) {
		code[0] = 0x52800000u | (unsigned)(i & 1) << 5; /* mov w0, #(i & 1) */
		code[1] = 0xd65f03c0u;				/* ret */
		__builtin___clear_cache((char *)code, (char *)(code + 2));
		sum += ((int (*)(void))code)();
	}
	return sum;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(const char *argument);
	} rows[] = {
		{ "exit", do_exit },	       { "abort", do_abort },	{ "fault", do_fault },
		{ "undefined", do_undefined }, { "catch", do_catch },	{ "fork", do_fork },
		{ "spawn", do_spawn },	       { "exec", do_exec },	{ "threads", do_threads },
		{ "relay", do_relay },	       { "leave", do_leave },	{ "spin", do_spin },
		{ "wait", do_wait },	       { "handle", do_handle }, { "ticks", do_ticks },
		{ "output", do_output },       { "copy", do_copy },	{ "inherit", do_inherit },
		{ "patch", do_patch },	       { "part", do_part },
	};
	for (size_t i = 0; argc > 1 && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(argv[1], rows[i].name))
			return rows[i].run(argc > 2 ? argv[2] : "0");
	return 2;
}
