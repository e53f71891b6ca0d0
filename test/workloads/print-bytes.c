#include <stdio.h>

extern char **environ;

static void print_all(char **texts) {
  for (; *texts; texts++) {
    for (const unsigned char *at = (const unsigned char *)*texts; *at; at++) printf("%02x", *at);
    putchar('\n');
  }
}

/* Prints its arguments, a line "environment" and its environment, each byte as two hexadecimal digits. */
int main(int count, char **arguments) {
  print_all(arguments + (count > 0));
  puts("environment");
  print_all(environ);
  return 0;
}
