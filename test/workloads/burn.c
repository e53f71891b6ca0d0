/* burn MS REPORT: uses so many milliseconds of CPU. */
#include "workload.h"

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  burn_until(atof(argv[1]) / 1000);
  report(argv[2], 0, 0);
  return 0;
}
