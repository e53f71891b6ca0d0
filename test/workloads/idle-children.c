/* idle-children COUNT MS REPORT: children that sleep. They end when the parent closes the pipe they
   wait on, so none of them has a timer of its own. */
#include "workload.h"

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  int go[2];
  char byte;
  if (pipe(go) != 0) return 70;
  for (int i = 0; i < atoi(argv[1]); i++) {
    if (fork() != 0) continue;
    close(go[1]);
    _exit(read(go[0], &byte, 1) == 0 ? 0 : 71);
  }
  puts("ready");
  fflush(stdout);
  pause_ms(atol(argv[2]));
  close(go[1]);
  while (wait(NULL) > 0) {}
  report(argv[3], 0, 0);
  return 0;
}
