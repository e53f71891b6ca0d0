/* catcher stay|leave CHILDREN: says which signals arrive, one line each ("main INT", "child INT"),
   after a "ready" line once all of it listens. With `leave` the first INT or TERM ends each process
   (code 3); with `stay` only KILL does. Ends by itself after 60 s, lest a failed test leave it. */
#include "workload.h"
#include <errno.h>
#include <signal.h>

static const struct { int number; const char *name; } known[] = {
    {SIGINT, "INT"}, {SIGTERM, "TERM"}, {SIGHUP, "HUP"}, {SIGQUIT, "QUIT"},
    {SIGUSR1, "USR1"}, {SIGCONT, "CONT"}, {SIGWINCH, "WINCH"}};
enum { known_count = sizeof known / sizeof known[0] };

static void say(const char *who, const char *what) {
  char line[64];
  int length = snprintf(line, sizeof line, "%s%s%s\n", who, *who ? " " : "", what);
  if (write(1, line, length) != length) _exit(70);
}

static void listen_for(const char *who, int stay, sigset_t *set) {
  struct timespec limit = {60, 0};
  for (;;) {
    int number = sigtimedwait(set, NULL, &limit);
    if (number < 0 && errno == EINTR) continue; /* it was stopped and goes on */
    if (number < 0) _exit(72);
    for (int i = 0; i < known_count; i++)
      if (known[i].number == number) say(who, known[i].name);
    if (!stay && (number == SIGINT || number == SIGTERM)) return;
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  int stay = strcmp(argv[1], "stay") == 0;
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < known_count; i++) sigaddset(&set, known[i].number);
  /* Blocked before the fork: from here on no signal can come too early for anyone to hear it. */
  sigprocmask(SIG_BLOCK, &set, NULL);
  for (int i = 0; i < atoi(argv[2]); i++) {
    if (fork() != 0) continue;
    listen_for("child", stay, &set);
    _exit(0);
  }
  say("", "ready");
  listen_for("main", stay, &set);
  while (wait(NULL) > 0) {}
  return 3;
}
