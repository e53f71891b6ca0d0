/* endless ACCOUNT: burns until killed, and so does a daemon of its own (two forks and setsid). Each
   writes its pid and CPU seconds into a mapped file as it goes, which even SIGKILL cannot undo. Ends
   by itself after 60 CPU seconds, lest a failed test leave it. */
#include "workload.h"
#include <fcntl.h>

struct account {
  double pid, cpu_seconds;
};

static void burn_on(volatile struct account *mine) {
  mine->pid = getpid();
  while (mine->cpu_seconds < 60) {
    burn_until(mine->cpu_seconds + 0.001);
    mine->cpu_seconds = process_cpu();
  }
}

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  int file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0644);
  size_t size = 2 * sizeof(struct account);
  if (file < 0 || ftruncate(file, size) != 0) return 70;
  volatile struct account *accounts = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (accounts == MAP_FAILED) return 70;
  pid_t middle = fork();
  if (middle == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    burn_on(&accounts[1]);
    _exit(0);
  }
  waitpid(middle, NULL, 0);
  burn_on(&accounts[0]);
  return 0;
}
