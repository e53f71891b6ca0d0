/* private-children COUNT MB HOLD_MS REPORT: children that hold so much memory each, all together. */
#include "workload.h"

int main(int argc, char **argv) {
  if (argc != 5) return 64;
  int count = atoi(argv[1]), ready[2], go[2];
  size_t bytes = (size_t)atol(argv[2]) << 20;
  char byte = 0;
  if (pipe(ready) != 0 || pipe(go) != 0) return 70;
  for (int i = 0; i < count; i++) {
    if (fork() != 0) continue;
    close(go[1]);
    touched(bytes);
    if (write(ready[1], &byte, 1) != 1) _exit(70);
    _exit(read(go[0], &byte, 1) == 0 ? 0 : 71);
  }
  for (int i = 0; i < count; i++)
    if (read(ready[0], &byte, 1) != 1) return 71;
  pause_ms(atol(argv[3]));
  close(go[1]);
  while (wait(NULL) > 0) {}
  report(argv[4], 0, count * bytes);
  return 0;
}
