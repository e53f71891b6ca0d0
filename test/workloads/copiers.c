/* copiers MB CHILDREN WRITE_MS HOLD_MS REPORT: one block of memory, and forked children that write to all of it,
   a twentieth at a time. Each then has a copy, and no resident size has changed. */
#include "workload.h"

enum { parts = 20 };

int main(int argc, char **argv) {
  if (argc != 6) return 64;
  size_t bytes = (size_t)atol(argv[1]) << 20;
  int children = atoi(argv[2]), ready[2], go[2];
  long write_ms = atol(argv[3]);
  char *memory = touched(bytes), byte = 0;
  if (pipe(ready) != 0 || pipe(go) != 0) return 70;
  for (int i = 0; i < children; i++) {
    if (fork() != 0) continue;
    close(go[1]);
    for (int part = 0; part < parts; part++) {
      for (size_t at = bytes / parts * part; at < bytes / parts * (part + 1); at += 4096) memory[at] = 2;
      pause_ms(write_ms / parts);
    }
    if (write(ready[1], &byte, 1) != 1) _exit(70);
    _exit(read(go[0], &byte, 1) == 0 ? 0 : 71);
  }
  for (int i = 0; i < children; i++)
    if (read(ready[0], &byte, 1) != 1) return 71;
  pause_ms(atol(argv[4]));
  close(go[1]);
  while (wait(NULL) > 0) {}
  report(argv[5], 0, (children + 1) * bytes);
  return 0;
}
