/* Exchanges two names with one another until it is killed: swap A B */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  for (int said = 0;;) {
    if (syscall(SYS_renameat2, AT_FDCWD, argv[1], AT_FDCWD, argv[2], RENAME_EXCHANGE) != 0) return 1;
    if (!said) {
      said = 1;
      puts("on");
      fflush(stdout);
    }
  }
}
