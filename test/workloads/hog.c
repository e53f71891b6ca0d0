/* hog MB HOLD_MS: takes so much memory, says "full", and holds it. */
#include "workload.h"

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  touched((size_t)atol(argv[1]) << 20);
  puts("full");
  fflush(stdout);
  pause_ms(atol(argv[2]));
  return 0;
}
