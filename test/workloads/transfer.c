/* transfer FILE MB: writes so much in calls of 64 KiB, brings it to storage, and reads it back. */
#include "workload.h"
#include <fcntl.h>

static char block[1 << 16];

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  int file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0644);
  long blocks = atol(argv[2]) * 16;
  memset(block, 'x', sizeof block);
  for (long i = 0; i < blocks; i++)
    if (write(file, block, sizeof block) != sizeof block) return 70;
  if (fsync(file) != 0 || lseek(file, 0, SEEK_SET) != 0) return 71;
  for (long i = 0; i < blocks; i++)
    if (read(file, block, sizeof block) != sizeof block) return 72;
  return 0;
}
