#include <unistd.h>

/* Runs a program (the second argument and those after it) in an environment that no shell makes, with the first argument
   in it. */
int main(int count, char **arguments) {
  char *environment[] = {"nameless", "D=1", "D=2", "=empty", "OK=caf\xe9", arguments[1], 0};
  if (count > 2) execve(arguments[2], arguments + 2, environment);
  return 77;
}
