/* SPDX-License-Identifier: MIT */
/* unwinds CASE: ways out of a function that are no return, as compilers and libraries make them. An
 * aese instruction, which nothing else here has, marks what is to be counted; CRYPTO_SPEC is how
 * many were. Each case says how many lie within `region`, which is entered from here alone. */
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>

namespace
{

inline void mark()
{
	asm volatile(".arch_extension crypto\n\taese v0.16b, v1.16b" ::: "v0", "memory");
}

std::jmp_buf place;
volatile int depth;

struct Marker {
	~Marker()
	{
		mark();
	} /* while the stack is unwound */
};

[[gnu::noinline]] void throw_it()
{
	mark();
	throw std::runtime_error("thrown");
}

[[gnu::noinline]] void throw_through_a_frame()
{
	Marker marker;
	throw_it();
}

[[gnu::noinline]] void catch_within()
{
	try {
		throw_through_a_frame();
	} catch (const std::exception &) {
		mark();
	}
}

[[gnu::noinline]] void marks_twice()
{
	mark();
	mark();
}

void on_signal(int)
{
	marks_twice();
}

} // namespace

/* Tests name it, so it has a name of C; as many ways as there are cases. */
extern "C" [[gnu::noinline]] void region(char way)
{
	mark();
	switch (way) {
	case 'o': /* out of it, to the caller: 1 + 1 in throw_it + 1 of ~Marker */
	case 'p': /* past its caller: the same */
		throw_through_a_frame();
		break;
	case 'w': /* caught within: 1 + 2 + 1, and 1 behind */
		catch_within();
		break;
	case 'l': /* to its caller: 1 */
	case 'f': /* past its caller: 1 */
		std::longjmp(place, 1);
	case 'r': /* calls itself three times and throws through all of them: 4 + 1 + 1 */
		if (++depth < 4)
			region(way);
		else
			throw_through_a_frame();
		break;
	case 'c': /* the outermost of four catches: 4 + 1 + 1, 1 in the handler, and 1 behind */
		if (++depth == 1) {
			try {
				region(way);
			} catch (const std::exception &) {
				mark();
			}
			break;
		}
		if (depth < 4)
			region(way);
		else
			throw_through_a_frame();
		break;
	case 's': /* a signal handler that returns: 1 + 2, and 1 behind */
	case 'a': /* on a stack of its own, on the heap and so below: the same */
	case 'A': /* mapped, which QEMU does above: the same */
		std::raise(SIGUSR1);
		break;
	case 't': /* ends with a jump to another: 1 + 2; the compiler makes the call one */
		return marks_twice();
	default: /* returns: 1, and 1 behind */
		break;
	}
	mark();
}

namespace
{

[[gnu::noinline]] void calls_and_does_not_catch(char way)
{
	mark();
	region(way);
	mark();
}

[[gnu::noinline]] void catches(char way)
{
	mark();
	try {
		region(way);
	} catch (const std::exception &) {
		mark(); /* not counted: the region is left */
		marks_twice();
	}
	mark();
}

[[gnu::noinline]] void jumps_back(char way)
{
	mark();
	if (!setjmp(place))
		region(way);
	marks_twice();
	mark();
}

[[gnu::noinline]] void jumps_back_further(char way)
{
	mark();
	if (!setjmp(place))
		calls_and_does_not_catch(way);
	marks_twice();
	mark();
}

void handle_on(void *memory, size_t size)
{
	struct sigaction action = {};
	action.sa_handler = on_signal;
	action.sa_flags = memory ? SA_ONSTACK : 0;
	sigaction(SIGUSR1, &action, nullptr);
	if (!memory)
		return;
	stack_t stack = {};
	stack.ss_size = size;
	stack.ss_sp = memory;
	sigaltstack(&stack, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
	const char way = argc > 1 ? argv[1][0] : 'n';
	const size_t size = 1 << 16;
	void *memory = nullptr;
	if (way == 'a')
		memory = std::malloc(size);
	else if (way == 'A')
		memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
	handle_on(memory, size);
	mark();
	switch (way) {
	case 'p':
		try {
			calls_and_does_not_catch(way);
		} catch (const std::exception &) {
			marks_twice();
		}
		break;
	case 'l':
		jumps_back(way);
		break;
	case 'f':
		jumps_back_further(way);
		break;
	case 'h': /* two threads at once: 2 and 2 of those that return, and 3 each of those that
		     throw */
	{
		std::thread one([] { catches('n'); }), other([] { catches('o'); }),
			third([] { catches('o'); });
		one.join();
		other.join();
		third.join();
		break;
	}
	default:
		catches(way);
		break;
	}
	marks_twice();
	return 0;
}
