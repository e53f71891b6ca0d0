/* Numbers by chance, the same everywhere for the same seed, and the time. */
#ifndef RANDOM_H
#define RANDOM_H
#include "workload.h"
#include <stdint.h>

static uint64_t state;

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

/* xorshift64*: the same numbers everywhere for the same seed. */
static inline uint64_t next(void) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 2685821657736338717ULL;
}

/* Neighbouring seeds must not begin with the same numbers. */
static inline void begin(uint64_t seed) {
  state = (seed ^ 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
  if (state == 0) state = 1;
  for (int i = 0; i < 8; i++) next();
}

static inline long pick(long from, long to) { return from + (long)(next() >> 33) % (to - from + 1); }
static inline int chance(int percent) { return pick(1, 100) <= percent; }

#endif
