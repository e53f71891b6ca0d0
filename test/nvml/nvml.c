/*
 * Stands in for NVIDIA's management library where there is no card. What it answers is in a file, JOBMETER_NVML_STATE,
 * which tests change while a job runs. A line is a kind, a card and `name=value` pairs:
 *
 *   driver loaded=1 hang=0                        (hang=1: no call returns for as long as that stands here)
 *   card 0 uuid=GPU-a name=H200 util=98 memutil=16 used=1000 total=2000 temp=60 power=692000 limit=700000
 *          clock=1980 maxclock=1980 throttle=0 energy=5000 ecc=0 error=0 gpm=1 mig=0 hidden=0 hang=0 crash=0 (one line)
 *   process 0 pid=77 memory=500 sm=40 graphics=0
 *   instance 0 uuid=MIG-a gi=3 used=100 total=1000
 *   gpm 0 1=99.1 2=95.6
 *
 * Only the process that loads it and the test read and write that file; nothing here is fast or complete.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum {
  success = 0, uninitialized = 1, invalid_argument = 2, not_supported = 3, not_found = 6,
  insufficient_size = 7, driver_not_loaded = 9, gpu_is_lost = 15, version_mismatch = 25
};

typedef uintptr_t handle;
enum { most_cards = 64, instance_base = 1000, handle_base = 4096 };

static int started;

static FILE *state(void) {
  const char *path = getenv("JOBMETER_NVML_STATE");
  return path == NULL ? NULL : fopen(path, "r");
}

/* The value of a name in a line; NULL where it has none. Text ends at a blank; `_` stands for one. */
static const char *value_in(const char *line, const char *name, char *into, size_t size) {
  char key[64];
  snprintf(key, sizeof key, " %s=", name);
  const char *found = strstr(line, key);
  if (found == NULL) return NULL;
  found += strlen(key);
  size_t length = strcspn(found, " \n");
  if (length >= size) length = size - 1;
  memcpy(into, found, length);
  into[length] = 0;
  for (char *at = into; *at != 0; at++)
    if (*at == '_') *at = ' ';
  return into;
}

/* The nth line of a kind, of a card; false where there is none. */
static int line_of(const char *kind, int card, int nth, char *line, size_t size) {
  FILE *file = state();
  if (file == NULL) return 0;
  int found = 0;
  while (!found && fgets(line, (int)size, file) != NULL) {
    char its_kind[32];
    int its_card = -1;
    int words = sscanf(line, "%31s %d", its_kind, &its_card);
    if (words < 1 || strcmp(its_kind, kind) != 0) continue;
    if (card >= 0 && (words < 2 || its_card != card)) continue;
    if (nth-- == 0) found = 1;
  }
  fclose(file);
  return found;
}

static int text_of(const char *kind, int card, int nth, const char *name, char *into, size_t size) {
  char line[2048];
  return line_of(kind, card, nth, line, sizeof line) && value_in(line, name, into, size) != NULL;
}

static int number_of(const char *kind, int card, int nth, const char *name, double *into) {
  char text[128];
  if (!text_of(kind, card, nth, name, text, sizeof text)) return 0;
  *into = strtod(text, NULL);
  return 1;
}

/* Does not return while the file says so. */
static void hang_while(const char *kind, int card) {
  for (;;) {
    double hang = 0;
    if (!number_of(kind, card, 0, "hang", &hang) || hang == 0) return;
    usleep(5000);
  }
}

static int driver(void) {
  double loaded = 1;
  if (!started) return uninitialized;
  hang_while("driver", -1);
  number_of("driver", -1, 0, "loaded", &loaded);
  return loaded != 0 ? success : driver_not_loaded;
}

struct device { const char *kind; int card; int nth; };

/* What a handle names, and whether it can be asked. */
static int device_of(handle given, struct device *device) {
  if (driver() != success) return driver();
  if (given < handle_base) return invalid_argument;
  int number = (int)(given - handle_base);
  if (number >= instance_base) {
    device->kind = "instance";
    device->card = (number - instance_base) / most_cards;
    device->nth = (number - instance_base) % most_cards;
  } else {
    device->kind = "card";
    device->card = number;
    device->nth = 0;
  }
  char line[2048];
  if (!line_of("card", device->card, 0, line, sizeof line)) return gpu_is_lost;
  hang_while("card", device->card);
  double error = 0, crash = 0;
  number_of("card", device->card, 0, "crash", &crash);
  if (crash != 0) abort();
  number_of("card", device->card, 0, "error", &error);
  return (int)error;
}

static int unsigned_of(handle given, const char *name, double factor, unsigned *into) {
  struct device device;
  double value;
  int code = device_of(given, &device);
  if (code != success) return code;
  if (!number_of(device.kind, device.card, device.nth, name, &value)) return not_supported;
  *into = (unsigned)(value * factor);
  return success;
}

static int wide_of(handle given, const char *name, unsigned long long *into) {
  struct device device;
  double value;
  int code = device_of(given, &device);
  if (code != success) return code;
  if (!number_of(device.kind, device.card, device.nth, name, &value)) return not_supported;
  *into = (unsigned long long)value;
  return success;
}

int nvmlInit_v2(void) {
  started = 1;
  return driver();
}

int nvmlShutdown(void) {
  started = 0;
  return success;
}

int nvmlSystemGetDriverVersion(char *into, unsigned size) {
  snprintf(into, size, "580.00");
  return driver();
}

int nvmlDeviceGetCount_v2(unsigned *count) {
  char line[2048];
  *count = 0;
  while (line_of("card", -1, (int)*count, line, sizeof line)) (*count)++;
  return driver();
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, handle *into) {
  double hidden = 0;
  number_of("card", (int)index, 0, "hidden", &hidden);
  if (hidden != 0) return gpu_is_lost;
  *into = handle_base + index;
  return driver();
}

static int name_of(handle given, const char *name, char *into, unsigned size) {
  struct device device;
  int code = device_of(given, &device);
  if (code != success) return code;
  return text_of(device.kind, device.card, device.nth, name, into, size) ? success : not_supported;
}

int nvmlDeviceGetName(handle device, char *into, unsigned size) { return name_of(device, "name", into, size); }
int nvmlDeviceGetUUID(handle device, char *into, unsigned size) { return name_of(device, "uuid", into, size); }

int nvmlDeviceGetUtilizationRates(handle device, unsigned *into) {
  int code = unsigned_of(device, "util", 1, &into[0]);
  into[1] = 0;
  if (code == success) unsigned_of(device, "memutil", 1, &into[1]);
  return code;
}

int nvmlDeviceGetMemoryInfo_v2(handle device, unsigned long long *into) {
  if ((unsigned)into[0] != (40u | (2u << 24))) return version_mismatch;
  int code = wide_of(device, "total", &into[1]);
  if (code != success) return code;
  code = wide_of(device, "used", &into[4]);
  into[2] = 0;
  into[3] = into[1] - into[4];
  return code;
}

int nvmlDeviceGetTemperature(handle device, unsigned sensor, unsigned *into) {
  return sensor == 0 ? unsigned_of(device, "temp", 1, into) : invalid_argument;
}

int nvmlDeviceGetPowerUsage(handle device, unsigned *into) { return unsigned_of(device, "power", 1, into); }
int nvmlDeviceGetEnforcedPowerLimit(handle device, unsigned *into) { return unsigned_of(device, "limit", 1, into); }

int nvmlDeviceGetClockInfo(handle device, unsigned type, unsigned *into) {
  return type == 1 ? unsigned_of(device, "clock", 1, into) : not_supported;
}

int nvmlDeviceGetMaxClockInfo(handle device, unsigned type, unsigned *into) {
  return type == 1 ? unsigned_of(device, "maxclock", 1, into) : not_supported;
}

/* What a card refuses (`refuses=3`): to list processes, and to say why it is held back. */
static int refusal_of(handle given) {
  struct device device;
  double refusal = 0;
  int code = device_of(given, &device);
  if (code == success) number_of("card", device.card, 0, "refuses", &refusal);
  return code == success ? (int)refusal : code;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(handle device, unsigned long long *into) {
  int code = refusal_of(device);
  return code == success ? wide_of(device, "throttle", into) : code;
}

int nvmlDeviceGetTotalEnergyConsumption(handle device, unsigned long long *into) {
  return wide_of(device, "energy", into);
}

int nvmlDeviceGetTotalEccErrors(handle device, unsigned type, unsigned counter, unsigned long long *into) {
  return type == 1 && counter == 0 ? wide_of(device, "ecc", into) : invalid_argument;
}

struct process { unsigned pid; unsigned long long memory; unsigned instance; unsigned compute; };
struct share { unsigned pid; unsigned long long stamp; unsigned sm, memory, encoder, decoder; };

/* The buffer-too-small protocol: the count comes back, and nothing else. */
static int processes(handle given, unsigned graphics, unsigned *count, struct process *into) {
  struct device device;
  int code = device_of(given, &device);
  if (code != success) return code;
  unsigned room = *count, found = 0;
  double instance = -1;
  if (strcmp(device.kind, "instance") == 0) number_of("instance", device.card, device.nth, "gi", &instance);
  for (int nth = 0;; nth++) {
    double pid, memory = 0, draws = 0, gi = -1;
    if (!number_of("process", device.card, nth, "pid", &pid)) break;
    number_of("process", device.card, nth, "memory", &memory);
    number_of("process", device.card, nth, "graphics", &draws);
    number_of("process", device.card, nth, "gi", &gi);
    if ((unsigned)draws != graphics || (instance >= 0 && gi != instance)) continue;
    if (found < room && into != NULL) {
      into[found].pid = (unsigned)pid;
      into[found].memory = memory < 0 ? ~0ULL : (unsigned long long)memory;
      into[found].instance = gi < 0 ? ~0u : (unsigned)gi;
      into[found].compute = ~0u;
    }
    found++;
  }
  *count = found;
  return found > room ? insufficient_size : success;
}

int nvmlDeviceGetComputeRunningProcesses_v3(handle device, unsigned *count, struct process *into) {
  int code = refusal_of(device);
  return code == success ? processes(device, 0, count, into) : code;
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(handle device, unsigned *count, struct process *into) {
  return processes(device, 1, count, into);
}

int nvmlDeviceGetProcessUtilization(handle given, struct share *into, unsigned *count, unsigned long long since) {
  struct device device;
  int code = device_of(given, &device);
  if (code != success) return code;
  if (strcmp(device.kind, "instance") == 0) return not_supported;
  unsigned room = *count, found = 0;
  double fixed = 0;
  struct timeval now;
  gettimeofday(&now, NULL);
  unsigned long long stamp = (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_usec;
  /* A card may have no new shares: then the time of the last ones stands. */
  if (number_of("card", device.card, 0, "stamp", &fixed)) stamp = (unsigned long long)fixed;
  if (stamp <= since) return not_found;
  for (int nth = 0;; nth++) {
    double pid, sm, own = (double)stamp;
    if (!number_of("process", device.card, nth, "pid", &pid)) break;
    if (!number_of("process", device.card, nth, "sm", &sm)) continue;
    number_of("process", device.card, nth, "stamp", &own);
    if (found < room && into != NULL) {
      memset(&into[found], 0, sizeof into[found]);
      into[found].pid = (unsigned)pid;
      into[found].stamp = (unsigned long long)own;
      into[found].sm = (unsigned)sm;
    }
    found++;
  }
  *count = found;
  if (found == 0) return not_found;
  return found > room ? insufficient_size : success;
}

int nvmlDeviceGetMigMode(handle device, unsigned *current, unsigned *pending) {
  *pending = 0;
  return unsigned_of(device, "mig", 1, current);
}

int nvmlDeviceGetMaxMigDeviceCount(handle device, unsigned *count) {
  struct device found;
  *count = 7;
  return device_of(device, &found);
}

int nvmlDeviceGetMigDeviceHandleByIndex(handle given, unsigned index, handle *into) {
  struct device device;
  char line[2048];
  int code = device_of(given, &device);
  if (code != success) return code;
  if (!line_of("instance", device.card, (int)index, line, sizeof line)) return not_found;
  *into = (handle)(handle_base + instance_base + device.card * most_cards + (int)index);
  return success;
}

int nvmlDeviceGetGpuInstanceId(handle device, unsigned *into) { return unsigned_of(device, "gi", 1, into); }

struct support { unsigned version, supported; };
struct metric { unsigned id, code; double value; char *names[3]; };
struct comparison { unsigned version, count; void *before, *after; struct metric metrics[]; };

int nvmlGpmQueryDeviceSupport(handle device, struct support *into) {
  if (into->version != 1) return version_mismatch;
  into->supported = 0;
  int code = unsigned_of(device, "gpm", 1, &into->supported);
  return code == not_supported ? success : code;
}

/* A sample remembers its card. */
int nvmlGpmSampleAlloc(void **into) {
  *into = calloc(1, sizeof(int));
  return *into == NULL ? 20 : success;
}

int nvmlGpmSampleFree(void *sample) {
  free(sample);
  return success;
}

int nvmlGpmSampleGet(handle given, int *sample) {
  struct device device;
  double refusal = 0;
  int code = device_of(given, &device);
  if (code != success) return code;
  number_of("card", device.card, 0, "gpmerror", &refusal);
  *sample = device.card + 1;
  return (int)refusal;
}

int nvmlGpmMigSampleGet(handle device, unsigned instance, int *sample) {
  (void)instance;
  return nvmlGpmSampleGet(device, sample);
}

int nvmlGpmMetricsGet(struct comparison *request) {
  if (request->version != 1) return version_mismatch;
  int card = *(int *)request->after - 1;
  if (card < 0 || *(int *)request->before == 0) return invalid_argument;
  for (unsigned at = 0; at < request->count; at++) {
    char name[16];
    struct metric *metric = &request->metrics[at];
    snprintf(name, sizeof name, "%u", metric->id);
    metric->code = number_of("gpm", card, 0, name, &metric->value) ? success : not_supported;
  }
  return success;
}
