/* family SEED MS: a random family of processes that burn and sleep for so long, the same for the same seed. Some wait for
   their children and some end before them; some ask for the orphans below them, some ignore their children, and some are
   killed with all that are below. */
#include "random.h"
#include <signal.h>
#include <sys/prctl.h>

enum { most_depth = 4, most_children = 3 };

static double deadline;

static void live(int depth) {
  if (chance(20)) prctl(PR_SET_CHILD_SUBREAPER, 1);
  else if (chance(15)) signal(SIGCHLD, SIG_IGN);
  while (now() < deadline) {
    int children = depth < most_depth ? (int)pick(0, most_children) : 0;
    int leads = chance(30);
    pid_t last = 0;
    for (int i = 0; i < children; i++) {
      uint64_t seed = next() | 1;
      pid_t child = fork();
      if (child == 0) {
        state = seed;
        if (leads) setpgid(0, last);
        live(depth + 1);
        _exit(0);
      }
      if (leads && child > 0) {
        if (last == 0) last = child;
        setpgid(child, last);
      }
    }
    burn_until(process_cpu() + pick(20, 300) / 1e3);
    if (chance(30)) pause_ms(pick(1, 100));
    if (leads && last > 0 && chance(60)) kill(-last, SIGKILL);
    if (chance(60))
      while (waitpid(-1, 0, chance(50) ? WNOHANG : 0) > 0) {}
    if (depth > 0 && chance(40)) return;
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  begin(strtoull(argv[1], 0, 10));
  deadline = now() + atol(argv[2]) / 1e3;
  live(0);
  /* Whoever is left is killed together with this. */
  kill(0, SIGKILL);
}
