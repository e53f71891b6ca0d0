/* What every workload needs: burning CPU to the millisecond, and an account of its own use. */
#ifndef WORKLOAD_H
#define WORKLOAD_H
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline double seconds_of(struct timeval t) { return t.tv_sec + t.tv_usec / 1e6; }

/* User and system time of RUSAGE_SELF or RUSAGE_CHILDREN; both are exact to a microsecond. */
static inline double cpu_of(int who) {
  struct rusage usage;
  getrusage(who, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

static inline double process_cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

/* Works until this process has used so much CPU since it was forked, start-up included. The clock is
   a system call, so it is asked about every 50 microseconds only: nearly all of it is user time. */
static inline void burn_until(double cpu_seconds) {
  static volatile unsigned long sink;
  while (process_cpu() < cpu_seconds)
    for (int i = 0; i < 20000; i++) sink = sink * 31 + i;
}

static inline void pause_ms(long ms) {
  struct timespec left = {ms / 1000, ms % 1000 * 1000000};
  while (nanosleep(&left, &left) != 0) {}
}

/* Resident memory of this process's own, one write to each page. */
static inline char *touched(size_t bytes) {
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) exit(70);
  for (size_t at = 0; at < bytes; at += 4096) memory[at] = 1;
  return memory;
}

/* One JSON line, to a file or with "-" to stdout. `unseen` is CPU of processes that this one cannot
   have waited for and that told it themselves. */
static inline void report(const char *path, double unseen, size_t memory_bytes) {
  FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (out == NULL) exit(71);
  double total = cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN) + unseen;
  fprintf(out, "{\"cpuSeconds\":%.6f,\"memoryBytes\":%zu}\n", total, memory_bytes);
  fflush(out);
}

#endif
