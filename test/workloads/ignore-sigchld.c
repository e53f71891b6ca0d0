/* ignore-sigchld COUNT MS REPORT: children whose parent ignores SIGCHLD. The kernel reaps them
   itself and adds their CPU to nobody's account, so each tells its own through a pipe. */
#include "workload.h"
#include <signal.h>

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  int ends[2];
  if (pipe(ends) != 0) return 70;
  signal(SIGCHLD, SIG_IGN);
  double total = 0;
  for (int i = 0; i < atoi(argv[1]); i++) {
    if (fork() == 0) {
      burn_until(atof(argv[2]) / 1000);
      double used = cpu_of(RUSAGE_SELF);
      _exit(write(ends[1], &used, sizeof used) == sizeof used ? 0 : 70);
    }
    double used = 0;
    if (read(ends[0], &used, sizeof used) != sizeof used) return 71;
    total += used;
  }
  report(argv[3], total, 0);
  return 0;
}
