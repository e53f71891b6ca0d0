import { dictionaries } from './names.ts'
import { nodeUpgrades } from './node-upgrades.ts'

/** `JMTN`: tells a node's database from a ledger; kept in the file's `application_id`. */
export const nodeApplicationId = 0x4a4d544e
export const nodeVersion = nodeUpgrades.length + 1

/**
 * Amounts are whole numbers, so that sums of any number of them are exact: microseconds, bytes, millijoules. Memory over
 * time is in KiB times milliseconds; sums of it over many nodes and months are no longer whole numbers.
 */
export const amountColumns = [
  'cpu_us',
  'read_bytes',
  'write_bytes',
  'gpu_us',
  'energy_mj',
  'memory_kib_ms',
  'gpu_memory_kib_ms',
  'short_processes',
  'short_cpu_us',
] as const
/** Those of what cards did. */
export const cardColumns = [
  'gpu_us',
  'energy_mj',
] as const satisfies readonly (typeof amountColumns)[number][]
export const peakColumns = [
  'cpu_peak_millicores',
  'memory_peak_kib',
  'gpu_memory_peak_kib',
  'processes_peak',
  'threads_peak',
  'zombies_peak',
] as const

const amounts = amountColumns.map((name) => `${name} INTEGER`).join(', ')
const peaks = peakColumns.map((name) => `${name} INTEGER`).join(', ')
const dictionary = (name: string): string =>
  `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);`

/** Of jobs, by how much time a row stands for; `at_ms` is when a round was taken, or a bucket began. */
const jobTables = ['job_raw', 'job_5m', 'job_hour'] as const
const nodeTables = ['node_5m', 'node_hour'] as const

/** Of devices, the last round alone and the roll-ups are kept. */
export const deviceAmounts = ['in_bytes', 'out_bytes', 'busy_us', 'energy_mj'] as const
export const devicePeaks = [
  'in_peak_bytes_per_second',
  'out_peak_bytes_per_second',
  'busy_peak_millionths',
  'power_peak_mw',
  'memory_peak_kib',
] as const
const deviceTables = ['device_latest', 'device_5m', 'device_hour'] as const

/**
 * `round`: those of an agent are numbered, and imported ones are not. Null is an epoch that nobody told.
 * `user_words`: which accounts and commands somebody ever had, so that nobody is shown those of others.
 */
export const nodeSchema = `
  ${dictionaries.map(dictionary).join('\n')}
  CREATE TABLE round (
    host_id INTEGER NOT NULL, at_ms INTEGER NOT NULL, number INTEGER, epoch TEXT,
    span_ms INTEGER NOT NULL, lost_records INTEGER NOT NULL,
    cores INTEGER, memory_total_kib INTEGER, gpus INTEGER, gpu_memory_total_kib INTEGER,
    load_milli INTEGER, swap_kib INTEGER, io_wait_us INTEGER, net_received_bytes INTEGER,
    net_sent_bytes INTEGER, core_us TEXT NOT NULL, ${amounts}, ${peaks},
    PRIMARY KEY (host_id, at_ms), UNIQUE (host_id, number)
  ) WITHOUT ROWID;
  CREATE TABLE job (
    id INTEGER PRIMARY KEY, host_id INTEGER NOT NULL, epoch TEXT NOT NULL, kind TEXT NOT NULL,
    key TEXT NOT NULL, user_id INTEGER NOT NULL, account_id INTEGER NOT NULL,
    command_id INTEGER NOT NULL, pid INTEGER, started_ms INTEGER, first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL, span_ms INTEGER NOT NULL, gpus INTEGER,
    asked_cpus REAL, asked_memory_kib INTEGER, asked_gpus REAL, asked_seconds REAL, asked_by TEXT,
    ${amounts}, ${peaks},
    name TEXT, shown_id TEXT, restarts INTEGER,
    UNIQUE (host_id, epoch, kind, key, user_id)
  );
  CREATE INDEX job_by_last ON job (last_ms);
  CREATE INDEX job_by_key ON job (key);
  ${jobTables
    .map(
      (name) => `CREATE TABLE ${name} (
        job_id INTEGER NOT NULL, at_ms INTEGER NOT NULL, span_ms INTEGER NOT NULL,
        ${amounts}, ${peaks}, PRIMARY KEY (job_id, at_ms)
      ) WITHOUT ROWID;`,
    )
    .join('\n')}
  ${nodeTables
    .map(
      (name) => `CREATE TABLE ${name} (
        at_ms INTEGER NOT NULL, host_id INTEGER NOT NULL, span_ms INTEGER NOT NULL,
        core_ms INTEGER, memory_total_kib_ms INTEGER, gpu_ms INTEGER,
        gpu_memory_total_kib_ms INTEGER, ${amounts}, ${peaks}, PRIMARY KEY (at_ms, host_id)
      ) WITHOUT ROWID;`,
    )
    .join('\n')}
  CREATE TABLE usage_hour (
    at_ms INTEGER NOT NULL, host_id INTEGER NOT NULL, user_id INTEGER NOT NULL,
    account_id INTEGER NOT NULL, command_id INTEGER NOT NULL, ${amounts},
    PRIMARY KEY (at_ms, host_id, user_id, account_id, command_id)
  ) WITHOUT ROWID;
  CREATE TABLE usage_user_hour (
    at_ms INTEGER NOT NULL, user_id INTEGER NOT NULL, account_id INTEGER NOT NULL, ${amounts},
    PRIMARY KEY (at_ms, user_id, account_id)
  ) WITHOUT ROWID;
  CREATE TABLE user_words (
    user_id INTEGER NOT NULL, account_id INTEGER NOT NULL, command_id INTEGER NOT NULL,
    PRIMARY KEY (user_id, account_id, command_id)
  ) WITHOUT ROWID;
  CREATE INDEX job_by_user ON job (user_id, last_ms);
  CREATE TABLE violation (
    id INTEGER PRIMARY KEY, policy TEXT NOT NULL, severity TEXT NOT NULL, host_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL, account_id INTEGER NOT NULL, subject TEXT NOT NULL,
    epoch TEXT, kind TEXT, key TEXT, command TEXT,
    first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL, held_ms INTEGER NOT NULL,
    text TEXT NOT NULL, spared TEXT, reported_ms INTEGER, resolved_ms INTEGER,
    resolved_because TEXT, resolution_told_ms INTEGER
  );
  CREATE INDEX violation_by_last ON violation (last_ms);
  CREATE INDEX violation_by_subject ON violation (host_id, policy, subject);
  CREATE INDEX violation_open ON violation (host_id) WHERE spared IS NULL AND resolved_ms IS NULL;
  CREATE INDEX violation_unreported ON violation (id) WHERE spared IS NULL AND reported_ms IS NULL;
  CREATE INDEX violation_untold_end ON violation (id)
    WHERE spared IS NULL AND resolved_ms IS NOT NULL AND resolution_told_ms IS NULL;
  CREATE TABLE policy_state (
    host_id INTEGER NOT NULL, policy TEXT NOT NULL, judged_ms INTEGER NOT NULL, unmeasured TEXT,
    judged_by TEXT NOT NULL,
    PRIMARY KEY (host_id, policy)
  ) WITHOUT ROWID;
  CREATE TABLE device (
    id INTEGER PRIMARY KEY, host_id INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    UNIQUE (host_id, kind, name)
  );
  ${deviceTables
    .map(
      (name) => `CREATE TABLE ${name} (
        device_id INTEGER NOT NULL, at_ms INTEGER NOT NULL, span_ms INTEGER NOT NULL,
        ${[...deviceAmounts, ...devicePeaks].map((column) => `${column} INTEGER`).join(', ')},
        PRIMARY KEY (device_id, at_ms)
      ) WITHOUT ROWID;`,
    )
    .join('\n')}
  CREATE TABLE imported_stretch (
    host_id INTEGER NOT NULL, from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, counters TEXT NOT NULL,
    PRIMARY KEY (host_id, from_ms)
  ) WITHOUT ROWID;
  CREATE TABLE imported_hour (
    host_id INTEGER NOT NULL, at_ms INTEGER NOT NULL, PRIMARY KEY (host_id, at_ms)
  ) WITHOUT ROWID;
  CREATE TABLE imported_capacity (host_id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, capacity TEXT NOT NULL);
  CREATE TABLE imported_slurm_job (
    key TEXT NOT NULL, started_ms INTEGER NOT NULL, said TEXT NOT NULL, is_counted INTEGER NOT NULL,
    PRIMARY KEY (key, started_ms)
  ) WITHOUT ROWID;
  PRAGMA application_id = ${nodeApplicationId};`
