/* children COUNT MS AT_ONCE REPORT: so many children, each burning so long, so many alive at once. */
#include "workload.h"

int main(int argc, char **argv) {
  if (argc != 5) return 64;
  int count = atoi(argv[1]), at_once = atoi(argv[3]);
  for (int started = 0; started < count; started++) {
    if (started >= at_once) wait(NULL);
    if (fork() == 0) {
      burn_until(atof(argv[2]) / 1000);
      _exit(0);
    }
  }
  while (wait(NULL) > 0) {}
  report(argv[4], 0, 0);
  return 0;
}
