/* daemon MS REPORT: a daemon (two forks and setsid) burns while the root waits for its word. No wait
   of the root can see the daemon's CPU, so the daemon tells it through a pipe as it ends. */
#include "workload.h"

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  int ends[2];
  if (pipe(ends) != 0) return 70;
  pid_t middle = fork();
  if (middle == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    burn_until(atof(argv[1]) / 1000);
    double used = cpu_of(RUSAGE_SELF);
    _exit(write(ends[1], &used, sizeof used) == sizeof used ? 0 : 70);
  }
  close(ends[1]);
  waitpid(middle, NULL, 0);
  double used = 0;
  if (read(ends[0], &used, sizeof used) != sizeof used) return 71;
  report(argv[2], used, 0);
  return 0;
}
