/* tree SEED LOG [wait]: grows a random family of processes, the same for the same seed: late and early
   children, daemons, programs that replace themselves, environments thrown away, SIGCHLD ignored, memory that
   comes, is shared, is written to by who shares it and goes, bursts, threads that burn and threads that fork. Every process writes its own
   life into a mapped file, which nothing can undo. The root outlives all of them but those that are to be
   left behind; these sleep on for 20 s, lest a failed test leave them for ever. With `wait` it
   begins when it gets SIGUSR1. */
#include "random.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

enum { most_events = 1 << 15, most_processes = 90, most_held = 8, longest_ms = 4000 };
enum kind { started = 1, ended, forking, holding, held, shared, dropped, left, feature };
enum features { ignores_children = 1, makes_daemons = 2, clears_environment = 4 };

struct event {
  double at;
  int64_t value;
  int32_t kind, pid, block, unused;
};

struct family {
  atomic_int events, blocks, processes, running, stragglers;
  int32_t unused[3];
  struct event event[most_events];
};

struct block {
  int id;
  char *memory;
  size_t bytes;
};

static struct family *family;
static struct block mine[most_held];
static const char *program, *log_path;
static double deadline;

static void note(enum kind kind, int block, int64_t value) {
  int at = atomic_fetch_add(&family->events, 1);
  if (at >= most_events) _exit(73);
  family->event[at] = (struct event){now(), value, kind, getpid(), block, 0};
}

static long left_ms(void) { return (long)((deadline - now()) * 1000); }

static void nap(long most_ms) {
  long ms = pick(0, most_ms), rest = left_ms();
  if (rest > 0) pause_ms(ms < rest ? ms : rest);
}

/* Memory */

static void hold(size_t bytes) {
  for (int i = 0; i < most_held; i++) {
    if (mine[i].memory != NULL) continue;
    int id = atomic_fetch_add(&family->blocks, 1);
    note(holding, id, bytes);
    mine[i] = (struct block){id, touched(bytes), bytes};
    note(held, id, bytes);
    return;
  }
}

static void drop(struct block *block) {
  if (block->memory == NULL) return;
  note(dropped, block->id, block->bytes);
  munmap(block->memory, block->bytes);
  block->memory = NULL;
}

/* Writes to all of a block that may be shared: from then on it is a copy of this process's own. */
static void own(struct block *block) {
  if (block->memory == NULL) return;
  int id = atomic_fetch_add(&family->blocks, 1);
  note(holding, id, block->bytes);
  for (size_t at = 0; at < block->bytes; at += 4096) block->memory[at] = 2;
  note(dropped, block->id, block->bytes);
  note(held, id, block->bytes);
  block->id = id;
}

static void drop_all(void) {
  for (int i = 0; i < most_held; i++) drop(&mine[i]);
}

/* Birth and death */

static void end(void) {
  drop_all();
  note(ended, 0, (int64_t)(process_cpu() * 1e9));
  atomic_fetch_sub(&family->running, 1);
  _exit(0);
}

/* The child shares what its parent holds at this moment; that counts from before it is born. */
static pid_t born(uint64_t seed) {
  for (int i = 0; i < most_held; i++)
    if (mine[i].memory != NULL) note(shared, mine[i].id, mine[i].bytes);
  note(forking, 0, 0);
  atomic_fetch_add(&family->processes, 1);
  atomic_fetch_add(&family->running, 1);
  pid_t pid = fork();
  if (pid < 0) _exit(72);
  if (pid > 0) return pid;
  signal(SIGCHLD, SIG_DFL);
  note(started, 0, getppid());
  begin(seed);
  return 0;
}

static void live(int depth);

static void become(int depth) {
  char seed[32], deep[16], until[32];
  char *args[] = {(char *)program, seed, (char *)log_path, deep, until, NULL};
  char *nothing[] = {NULL};
  extern char **environ;
  int bare = chance(25);
  if (bare) note(feature, 0, clears_environment);
  drop_all();
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)next());
  snprintf(deep, sizeof deep, "d%d", depth);
  snprintf(until, sizeof until, "%.6f", deadline);
  execve(program, args, bare ? nothing : environ);
  _exit(71);
}

static void child(int depth) {
  uint64_t seed = next();
  int waits = chance(60), keeps = chance(40), replaces = chance(25);
  pid_t pid = born(seed);
  if (pid == 0) {
    if (!keeps) drop_all();
    if (keeps && chance(60)) {
      nap(700);
      for (int i = 0; i < most_held; i++) own(&mine[i]);
    }
    if (replaces) become(depth + 1);
    live(depth + 1);
    end();
  }
  if (waits) waitpid(pid, NULL, 0);
}

/* Two forks and a new session. The one in between tells its account and is gone. */
static void daemon_child(int depth) {
  uint64_t seed = next();
  int stays = chance(20), replaces = chance(30);
  note(feature, 0, makes_daemons);
  pid_t pid = born(seed);
  if (pid > 0) {
    waitpid(pid, NULL, 0);
    return;
  }
  drop_all();
  setsid();
  if (born(next()) > 0) end();
  if (chance(50)) nap(200);
  if (stays) {
    burn_until(process_cpu() + pick(1, 20) / 1e3);
    note(left, 0, (int64_t)(process_cpu() * 1e9));
    atomic_fetch_add(&family->stragglers, 1);
    pause_ms(20000);
    _exit(0);
  }
  if (replaces) become(depth + 1);
  live(depth + 1);
  end();
}

static void burst(void) {
  int count = pick(5, 50);
  long most_ms = pick(20, 1500);
  for (int i = 0; i < count; i++) {
    uint64_t seed = next();
    if (atomic_load(&family->processes) > most_processes) break;
    if (born(seed) > 0) continue;
    drop_all();
    if (chance(30)) burn_until(pick(1, 3) / 1e3);
    nap(most_ms);
    end();
  }
  if (chance(70)) while (wait(NULL) > 0) {}
}

static void *thread_burns(void *ms) {
  struct timespec t;
  do {
    static volatile unsigned long sink;
    for (int i = 0; i < 20000; i++) sink = sink * 31 + i;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < (long)ms);
  return NULL;
}

/* A child that hangs on a thread which is not the first. */
static void *thread_forks(void *depth) {
  pid_t pid = born(next());
  if (pid == 0) {
    drop_all();
    nap(300);
    live((int)(long)depth + 1);
    end();
  }
  waitpid(pid, NULL, 0);
  return NULL;
}

static void threads(int depth) {
  pthread_t thread[4];
  int count = pick(1, 4), forks = chance(50);
  for (int i = 0; i < count; i++) {
    void *(*work)(void *) = forks && i == 0 ? thread_forks : thread_burns;
    long value = forks && i == 0 ? depth : pick(2, 25);
    /* One after the other where one of them forks: the random numbers are not for two to take at once. */
    if (pthread_create(&thread[i], NULL, work, (void *)value) != 0) _exit(72);
    if (forks) pthread_join(thread[i], NULL);
  }
  for (int i = 0; i < count && !forks; i++) pthread_join(thread[i], NULL);
}

static void live(int depth) {
  if (chance(10)) {
    note(feature, 0, ignores_children);
    signal(SIGCHLD, SIG_IGN);
  }
  if (chance(30)) nap(1200);
  for (int steps = pick(1, depth == 0 ? 7 : 4); steps > 0 && left_ms() > 0; steps--) {
    int many = atomic_load(&family->processes) > most_processes - 50 || depth > 4;
    int what = pick(0, many ? 6 : 14);
    if (what <= 1) burn_until(process_cpu() + pick(1, 60) / 1e3);
    else if (what <= 3) hold((size_t)pick(2, 40) << 20);
    else if (what == 4) chance(60) ? drop(&mine[pick(0, 2)]) : own(&mine[pick(0, 2)]);
    else if (what <= 6) nap(chance(30) ? 1500 : 300);
    else if (what <= 11) child(depth);
    else if (what == 12) daemon_child(depth);
    else if (what == 13) threads(depth);
    else burst();
    if (chance(25)) nap(chance(30) ? 1300 : 100);
  }
  while (wait(NULL) > 0) {}
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  program = argv[0];
  log_path = argv[2];
  begin(strtoull(argv[1], NULL, 10));
  int again = argc == 5;
  int file = open(log_path, O_RDWR | O_CREAT, 0644);
  if (file < 0 || ftruncate(file, sizeof *family) != 0) return 70;
  family = mmap(NULL, sizeof *family, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (family == MAP_FAILED) return 70;
  close(file);
  if (again) {
    deadline = atof(argv[4]);
    live(atoi(argv[3] + 1));
    end();
  }
  if (argc == 4) {
    sigset_t go;
    int number;
    sigemptyset(&go);
    sigaddset(&go, SIGUSR1);
    sigprocmask(SIG_BLOCK, &go, NULL);
    sigwait(&go, &number);
  }
  atomic_fetch_add(&family->processes, 1);
  atomic_fetch_add(&family->running, 1);
  note(started, 0, getppid());
  deadline = now() + pick(200, longest_ms) / 1e3;
  live(0);
  /* Daemons that nobody can wait for: the root ends last of all. */
  while (atomic_load(&family->running) > 1 + atomic_load(&family->stragglers)) pause_ms(2);
  end();
}
