/* keep-fds ROUNDS stat|io... < PIDS: the floor for looking at many processes. Opens these files of
   /proc/PID for each pid once, then reads all of them again and again, taking CPU time, threads, start
   time and resident size from `stat` and every number from `io`. Prints the CPU microseconds of one
   round over all of them, in the mean. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double cpu_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

/* Fields 14, 15, 20, 22 and 24, counted from the name's closing bracket, which is field 2. */
static unsigned long long sum_fields(const char *text, const char *end) {
  const char *at = memrchr(text, ')', end - text);
  unsigned long long sum = 0;
  for (int field = 2; at != NULL && at < end && field <= 24; field++) {
    unsigned long long value = 0;
    for (; at < end && *at != ' '; at++) value = value * 10 + (*at - '0');
    if (field == 14 || field == 15 || field == 20 || field == 22 || field == 24) sum += value;
    at++;
  }
  return sum;
}

static unsigned long long sum_numbers(const char *at, const char *end) {
  unsigned long long sum = 0, value = 0;
  for (; at < end; at++) {
    if (*at >= '0' && *at <= '9') value = value * 10 + (*at - '0');
    else if (*at == '\n') sum += value, value = 0;
  }
  return sum;
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  int rounds = atoi(argv[1]), count = 0, pids = 0, pid;
  static int files[100000];
  static char is_stat[100000];
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  while (scanf("%d", &pid) == 1) {
    pids++;
    for (int name = 2; name < argc; name++) {
      char path[64];
      snprintf(path, sizeof path, "/proc/%d/%s", pid, argv[name]);
      is_stat[count] = strcmp(argv[name], "stat") == 0;
      if ((files[count++] = open(path, O_RDONLY)) < 0) return 70;
    }
  }
  volatile unsigned long long sink = 0;
  double started = cpu_us();
  for (int i = 0; i < rounds * count; i++) {
    char text[1024];
    ssize_t length = pread(files[i % count], text, sizeof text, 0);
    if (length <= 0) return 71;
    const char *end = text + length;
    sink += is_stat[i % count] ? sum_fields(text, end) : sum_numbers(text, end);
  }
  printf("{\"processes\":%d,\"microseconds\":%.1f}\n", pids, (cpu_us() - started) / rounds);
  return 0;
}
