/* contained CPU_MS MEMORY_MB WRITE_MB FILE: holds so much memory, writes so much to a file, and then uses CPU until it has
   used so much in all. Tells what it used. */
#include "workload.h"
#include <fcntl.h>

static char block[1 << 16];

int main(int argc, char **argv) {
  if (argc != 5) return 64;
  size_t bytes = (size_t)atol(argv[2]) << 20;
  touched(bytes);
  int file = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  memset(block, 'x', sizeof block);
  for (long i = 0; i < atol(argv[3]) * 16; i++)
    if (write(file, block, sizeof block) != sizeof block) return 70;
  if (fsync(file) != 0) return 71;
  burn_until(atof(argv[1]) / 1000);
  report("-", 0, bytes);
  return 0;
}
