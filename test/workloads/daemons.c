/* daemons SEED LOG: a random family of short lives: children, daemons (two forks and setsid) and daemons of daemons,
   most of them gone before anybody can look. Each works, writes and adds a line to the log: its CPU seconds and the bytes
   that it wrote. The root ends when all the others have let go of a pipe. */
#include "random.h"
#include <fcntl.h>

enum { deepest = 3 };

static int log_file, nowhere;

static void live(int depth) {
  static char bytes[200 << 10];
  int children = depth == deepest ? 0 : depth == 0 ? pick(4, 7) : pick(0, 2);
  for (int i = 0; i < children; i++) {
    uint64_t seed = next();
    int is_daemon = chance(50);
    pid_t pid = fork();
    if (pid < 0) _exit(72);
    if (pid > 0) {
      if (is_daemon) waitpid(pid, NULL, 0);
      continue;
    }
    if (is_daemon) {
      setsid();
      if (fork() != 0) _exit(0);
    }
    begin(seed);
    live(depth + 1);
    _exit(0);
  }
  long written = pick(1, sizeof bytes);
  if (chance(30)) pause_ms(pick(1, 400));
  burn_until(pick(1, 15) / 1e3);
  if (write(nowhere, bytes, written) != written) _exit(73);
  while (wait(NULL) > 0) {}
  char line[80];
  int length = snprintf(line, sizeof line, "%.6f %ld\n", process_cpu(), written);
  if (write(log_file, line, length) != length) _exit(74);
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  int ends[2];
  begin(strtoull(argv[1], NULL, 10));
  log_file = open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0644);
  nowhere = open("/dev/null", O_WRONLY);
  if (log_file < 0 || nowhere < 0 || pipe(ends) != 0) return 70;
  live(0);
  close(ends[1]);
  char end;
  return (int)read(ends[0], &end, 1);
}
