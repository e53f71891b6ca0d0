/* fixed-work MILLIONS PROCESSES REPORT: the same arithmetic each time, in so many processes at once,
   and how long it took from the first to the last. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  long rounds = atol(argv[1]) * 1000000;
  double started = now();
  for (int i = 0; i < atoi(argv[2]); i++) {
    if (fork() != 0) continue;
    volatile double x = 1;
    for (long n = 0; n < rounds; n++) x = x * 0.999999 + 0.000001;
    _exit(0);
  }
  while (wait(NULL) > 0) {}
  double wall = now() - started;
  FILE *report = fopen(argv[3], "w");
  if (report == NULL) return 71;
  fprintf(report, "{\"wallSeconds\":%.6f}\n", wall);
  fclose(report);
  return 0;
}
