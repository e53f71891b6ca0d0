/* threads MS: a thread named "loader" uses so many milliseconds of CPU while three others wait for it; then all of them
   wait for a second and a half, so that it is seen what each of them has used. */
#include "workload.h"
#include <pthread.h>

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

static void *load(void *ms) {
  static volatile unsigned long sink;
  struct timespec t;
  pthread_setname_np(pthread_self(), "loader");
  do {
    for (int i = 0; i < 20000; i++) sink = sink * 31 + i;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  } while (t.tv_sec + t.tv_nsec / 1e9 < *(double *)ms / 1000);
  pause_ms(1500);
  pthread_mutex_unlock(&busy);
  return NULL;
}

static void *await(void *unused) {
  (void)unused;
  pthread_setname_np(pthread_self(), "worker");
  pthread_mutex_lock(&busy);
  pthread_mutex_unlock(&busy);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  double ms = atof(argv[1]);
  pthread_t threads[4];
  pthread_mutex_lock(&busy);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, await, NULL);
  pthread_create(&threads[3], NULL, load, &ms);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
