/*
 * bin/NAME of the bundle: starts runtime/node with bin/NAME.cjs. A shell script would not do. dash drops
 * variables whose names it does not like and sets PWD, bash counts SHLVL up: the job must get the environment that
 * jobmeter was given, byte for byte. And a script finds itself behind a symbolic link only with the help of others.
 *
 * It is linked with nothing, not even libc, and so runs with any.
 */
#ifndef __x86_64__
#error "so far there is a launcher for x86-64 alone"
#endif

enum { callWrite = 1, callExecve = 59, callExit = 60, callReadlink = 89 };

static long call(long number, long a, long b, long c) {
  long answer;
  __asm__ volatile("syscall"
                   : "=a"(answer)
                   : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return answer;
}

static long length(const char *text) {
  long count = 0;
  while (text[count] != 0) count++;
  return count;
}

static void say(const char *text) { call(callWrite, 2, (long)text, length(text)); }

static char *append(char *end, const char *text) {
  while (*text != 0) *end++ = *text++;
  *end = 0;
  return end;
}

static void fail(const char *what, const char *path, const char *why) {
  say(what);
  say(path);
  say(why);
  call(callExit, 126, 0, 0);
}

enum { longestPath = 4096, longestAddition = 64 };

static char self[longestPath];
static char node[longestPath + longestAddition];
static char script[longestPath + longestAddition];

/* `stack` is what the kernel gives a program: the number of its words, the words, a zero, the environment, a zero. */
__attribute__((used, noreturn)) static void begin(long *stack) {
  const char **words = (const char **)(stack + 1);
  const char **environment = words + stack[0] + 1;
  const char *link = "/proc/self/exe";
  long size = call(callReadlink, (long)link, (long)self, longestPath - 1);
  if (size <= 0 || stack[0] < 1) fail("jobmeter cannot tell where it is: ", link, " says nothing\n");
  /* Up to the folder that holds the one we are in. */
  long folder = size;
  for (int slashes = 0; folder > 0 && slashes < 2; folder--)
    if (self[folder - 1] == '/') slashes++;
  for (long at = 0; at <= folder; at++) node[at] = self[at];
  append(node + folder + 1, "runtime/node");
  append(append(script, self), ".cjs");
  /* The script takes the place of our own name; before it are the number of the words, and a place that _start left free. */
  const char **given = (const char **)(stack - 1);
  given[0] = node;
  given[1] = "--disable-sigusr1"; /* Node would open its debugger, to whoever reaches the port. */
  given[2] = script;
  call(callExecve, (long)node, (long)given, (long)environment);
  fail("jobmeter cannot start ", node, "; it needs Linux with glibc 2.28 or newer\n");
  __builtin_unreachable();
}

__asm__(".globl _start\n_start:\n\tmov %rsp, %rdi\n\tsub $8, %rsp\n\tand $-16, %rsp\n\tcall begin\n");
