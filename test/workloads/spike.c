/* spike self|child BEFORE_MS MB HOLD_MS AFTER_MS REPORT: memory that is there for a moment only, in
   the main process or in a child that lives no longer than that. */
#include "workload.h"

static void hold(size_t bytes, long ms) {
  char *memory = touched(bytes);
  pause_ms(ms);
  munmap(memory, bytes);
}

int main(int argc, char **argv) {
  if (argc != 7) return 64;
  size_t bytes = (size_t)atol(argv[3]) << 20;
  pause_ms(atol(argv[2]));
  if (strcmp(argv[1], "self") == 0) {
    hold(bytes, atol(argv[4]));
  } else {
    pid_t child = fork();
    if (child == 0) {
      hold(bytes, atol(argv[4]));
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
  pause_ms(atol(argv[5]));
  report(argv[6], 0, bytes);
  return 0;
}
