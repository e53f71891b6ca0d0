/* measure REPORT COMMAND [ARG...]: runs a command and says what it cost, seen from outside: wall
   time, CPU of it and of all it waited for, and the largest resident size of any of them. Small
   itself, so that starting it adds nothing to the command's figures. */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static double seconds_of(struct timeval t) { return t.tv_sec + t.tv_usec / 1e6; }

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  pid_t child;
  int status;
  struct rusage usage;
  double started = now();
  if (posix_spawnp(&child, argv[2], NULL, NULL, argv + 2, environ) != 0) return 127;
  wait4(child, &status, 0, &usage);
  double wall = now() - started;
  FILE *report = fopen(argv[1], "w");
  if (report == NULL) return 71;
  fprintf(report, "{\"wallSeconds\":%.6f,\"cpuSeconds\":%.6f,\"maxRssBytes\":%ld}\n", wall,
          seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), usage.ru_maxrss * 1024);
  fclose(report);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
