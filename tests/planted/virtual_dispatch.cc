/* SPDX-License-Identifier: MIT */
/* Planted: virtual calls of eight classes, the objects in random order.
 * Cause: where such a call goes follows from nothing that came before: seven of eight are
 * mispredicted, and what was fetched behind them is thrown away.
 * Mended: the objects are in order of their class. */
#include <cstdint>
#include <cstdio>

struct shape {
	virtual uint64_t area(uint64_t side) const = 0;
};

template <int KIND> struct one : shape {
	uint64_t area(uint64_t side) const override
	{
		return side * (KIND + 1);
	}
};

static const one<0> shape0;
static const one<1> shape1;
static const one<2> shape2;
static const one<3> shape3;
static const one<4> shape4;
static const one<5> shape5;
static const one<6> shape6;
static const one<7> shape7;

enum { OBJECTS = 40000 };

static const shape *objects[OBJECTS];

static void place(const shape **to)
{
	static const shape *const kinds[8] = {&shape0, &shape1, &shape2, &shape3,
					      &shape4, &shape5, &shape6, &shape7};
	uint64_t random = 88172645463325252u;
	for (unsigned i = 0; i < OBJECTS; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
#ifdef MENDED
		to[i] = kinds[i / (OBJECTS / 8)];
#else
		to[i] = kinds[random >> 61];
#endif
	}
}

__attribute__((noinline)) static uint64_t total(const shape *const *from)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < OBJECTS; i++)
		sum += from[i]->area(i); /* planted: branch_target */
	return sum;
}

int main()
{
	place(objects);
	std::printf("%llu\n", static_cast<unsigned long long>(total(objects)));
	return 0;
}
