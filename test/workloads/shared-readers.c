/* shared-readers MB READERS HOLD_MS REPORT: one block of memory, and forked readers that read all of
   it. It exists once, whatever the sum of resident sizes says. */
#include "workload.h"

int main(int argc, char **argv) {
  if (argc != 5) return 64;
  size_t bytes = (size_t)atol(argv[1]) << 20;
  int readers = atoi(argv[2]), ready[2], go[2];
  char *memory = touched(bytes), byte = 0;
  if (pipe(ready) != 0 || pipe(go) != 0) return 70;
  for (int i = 0; i < readers; i++) {
    if (fork() != 0) continue;
    close(go[1]);
    unsigned long sum = 0;
    for (size_t at = 0; at < bytes; at += 4096) sum += memory[at];
    if (write(ready[1], &byte, 1) != 1) _exit(70);
    _exit(read(go[0], &byte, 1) == 0 && sum == bytes / 4096 ? 0 : 71);
  }
  for (int i = 0; i < readers; i++)
    if (read(ready[0], &byte, 1) != 1) return 71;
  pause_ms(atol(argv[3]));
  close(go[1]);
  while (wait(NULL) > 0) {}
  report(argv[4], 0, bytes);
  return 0;
}
