/**
 * The steps from an empty file to the ledger of today. A step that was released is never edited: a
 * ledger in the field went through it as it was. A change is a new step at the end of the list.
 */
export const migrations: readonly string[] = [
  ledger1(),
  ledger2(),
  ledger3(),
  ledger4(),
  ledger5(),
  ledger6(),
  ledger7(),
  ledger8(),
  ledger9(),
  ledger10(),
  ledger11(),
  ledger12(),
]

/**
 * Jobs, their attempts, and samples of the attempts.
 *
 * Ids are AUTOINCREMENT, so that a pruned job's number never comes to name another job.
 * Samples are an ordinary table with an index: 370,000 rows a second against 280,000 for WITHOUT
 * ROWID with (attempt_id, sequence) as its key, when four attempts write in turn.
 * The columns of `sample` are spelled out: `sampleColumns` may grow, this step may not.
 */
function ledger1(): string {
  return `
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  tool TEXT NOT NULL,
  script TEXT,
  params TEXT NOT NULL,
  tags TEXT NOT NULL,
  command TEXT NOT NULL,
  working_directory TEXT NOT NULL,
  cpus REAL,
  memory_bytes INTEGER,
  gpus REAL,
  runtime_seconds REAL
);
CREATE INDEX job_by_tool ON job (tool);

CREATE TABLE attempt (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id TEXT NOT NULL UNIQUE,
  job_id INTEGER NOT NULL REFERENCES job (id),
  number INTEGER NOT NULL,
  status TEXT NOT NULL,
  started_at REAL NOT NULL,
  ended_at REAL,
  duration_seconds REAL,
  exit_code INTEGER,
  signal TEXT,
  reason TEXT,
  stragglers TEXT NOT NULL DEFAULT '[]',
  cpu_user_seconds REAL,
  cpu_system_seconds REAL,
  cpu_seconds REAL,
  memory_peak_bytes INTEGER,
  usage TEXT,
  user TEXT NOT NULL,
  host TEXT NOT NULL,
  cores INTEGER NOT NULL,
  machine_memory_bytes INTEGER,
  owner_host TEXT NOT NULL,
  owner_boot_id TEXT NOT NULL,
  owner_pid INTEGER NOT NULL,
  owner_start_ticks INTEGER NOT NULL,
  sample_interval_seconds REAL,
  samples_collected INTEGER NOT NULL DEFAULT 0,
  samples_late INTEGER NOT NULL DEFAULT 0,
  own_cpu_seconds REAL,
  UNIQUE (job_id, number)
);
CREATE INDEX attempt_by_start ON attempt (started_at);
CREATE INDEX attempt_running ON attempt (id) WHERE status = 'running';

CREATE TABLE sample (
  id INTEGER PRIMARY KEY,
  attempt_id INTEGER NOT NULL REFERENCES attempt (id),
  timestamp REAL,
  elapsed_seconds REAL,
  cpu_user_seconds REAL,
  cpu_system_seconds REAL,
  memory_bytes REAL,
  rss_bytes REAL,
  swap_bytes REAL,
  cgroup_memory_bytes REAL,
  num_processes REAL,
  num_threads REAL,
  read_bytes REAL,
  write_bytes REAL,
  read_chars REAL,
  write_chars REAL,
  read_calls REAL,
  write_calls REAL,
  minor_faults REAL,
  major_faults REAL,
  io_delay_seconds REAL,
  cpu_pressure_seconds REAL,
  memory_pressure_seconds REAL,
  io_pressure_seconds REAL,
  machine_cpu_seconds REAL,
  machine_io_wait_seconds REAL,
  machine_memory_bytes REAL,
  machine_disk_read_bytes REAL,
  machine_disk_write_bytes REAL,
  machine_net_received_bytes REAL,
  machine_net_sent_bytes REAL
);
CREATE INDEX sample_by_attempt ON sample (attempt_id);
`
}

/**
 * Workflows. A job of a workflow is a row in `job` as a single command's is, so that its attempts are records
 * like all others; what it is as part of its workflow stands in the new columns, which are NULL for a
 * single command. While it has not run, the columns that a runner fills in (tool, command …) are empty.
 *
 * `definition` is the job as JSON but for its name and command. Long lists of names in it (what a job
 * behind a barrier waits for) stand in `name_list`, each distinct one once, and the definition has
 * the list's id: 1,000 names in each of 100,000 jobs would be a gigabyte.
 *
 * The index by tool goes: a runner sets the tool when a job starts, which cost it two more pages a commit, and
 * the newest jobs of a tool are found from the newest attempts backwards all the same.
 */
function ledger2(): string {
  return `
CREATE TABLE workflow (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  user TEXT NOT NULL,
  created_at REAL NOT NULL,
  spec_path TEXT NOT NULL,
  spec_text TEXT NOT NULL,
  definition TEXT NOT NULL,
  owner_host TEXT,
  owner_boot_id TEXT,
  owner_pid INTEGER,
  owner_start_ticks INTEGER
);

CREATE TABLE name_list (
  id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL REFERENCES workflow (id),
  names TEXT NOT NULL
);
CREATE INDEX name_list_by_workflow ON name_list (workflow_id);

DROP INDEX job_by_tool;
ALTER TABLE job ADD COLUMN workflow_id INTEGER REFERENCES workflow (id);
ALTER TABLE job ADD COLUMN position INTEGER;
ALTER TABLE job ADD COLUMN state TEXT;
ALTER TABLE job ADD COLUMN attempt_count INTEGER;
ALTER TABLE job ADD COLUMN shell_command TEXT;
ALTER TABLE job ADD COLUMN definition TEXT;
CREATE UNIQUE INDEX job_by_workflow ON job (workflow_id, position) WHERE workflow_id IS NOT NULL;
CREATE INDEX job_by_state ON job (workflow_id, state) WHERE workflow_id IS NOT NULL;

CREATE TABLE run (
  workflow_id INTEGER NOT NULL REFERENCES workflow (id),
  run_id INTEGER NOT NULL,
  started_at REAL NOT NULL,
  ended_at REAL,
  host TEXT NOT NULL,
  output_directory TEXT NOT NULL,
  PRIMARY KEY (workflow_id, run_id)
) WITHOUT ROWID;

ALTER TABLE attempt ADD COLUMN run_id INTEGER;

CREATE TABLE job_input (
  job_id INTEGER NOT NULL REFERENCES job (id),
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  modified_seconds REAL NOT NULL,
  hash TEXT,
  PRIMARY KEY (job_id, position)
) WITHOUT ROWID;
`
}

/** How others can see that an owner lives: the namespace that its pid counts in, and the file that it keeps locked. */
function ledger3(): string {
  return ['attempt', 'workflow']
    .map(
      (table) => `
ALTER TABLE ${table} ADD COLUMN owner_pid_namespace TEXT;
ALTER TABLE ${table} ADD COLUMN owner_sign TEXT;
ALTER TABLE ${table} ADD COLUMN owner_sign_is_locked INTEGER;
`,
    )
    .join('')
}

/**
 * What lists and comparisons of many attempts show has columns of its own: reading it out of 100,000 usages took longer
 * than all else. `lower_bounds` names the figures of a usage that are "at least", and is NULL where an older build wrote
 * the row. A run has the folder its jobs ran in, to which a later one goes back.
 */
function ledger4(): string {
  return `
ALTER TABLE attempt ADD COLUMN cpu_percent_mean REAL;
ALTER TABLE attempt ADD COLUMN cpu_percent_peak REAL;
ALTER TABLE attempt ADD COLUMN memory_mean_bytes REAL;
ALTER TABLE attempt ADD COLUMN read_bytes INTEGER;
ALTER TABLE attempt ADD COLUMN write_bytes INTEGER;
ALTER TABLE attempt ADD COLUMN lower_bounds TEXT;
ALTER TABLE run ADD COLUMN working_directory TEXT;
`
}

/**
 * The usage of an attempt, some 2.4 KB of JSON, moves out of its row: twelve attempts then fit in a page instead of one.
 * What is there stays where it is, in `attempt.usage`: moving it would write a large ledger anew, and a runner
 * of an older build that has the file open goes on writing there. That runner may also prune: hence the cascade.
 *
 * The index by state holds just the jobs that are still part of their workflow: those are counted whenever a workflow is
 * looked at, and for 50,000 of them each job's row had to be read as well.
 */
function ledger5(): string {
  return `
CREATE TABLE attempt_usage (
  attempt_id INTEGER PRIMARY KEY REFERENCES attempt (id) ON DELETE CASCADE,
  usage TEXT NOT NULL
);

DROP INDEX job_by_state;
CREATE INDEX job_by_state ON job (workflow_id, state)
  WHERE workflow_id IS NOT NULL AND position IS NOT NULL;
`
}

/**
 * Rows of the devices of an attempt: GPUs, containers, disks, interfaces, threads. Here and in `sample`, figures are
 * columns by name, and one that is new gets its column when it is first written: that needs no step, and costs the rows that
 * are there nothing. A runner of an older build may prune: hence the cascade.
 */
function ledger6(): string {
  return `
CREATE TABLE device_sample (
  id INTEGER PRIMARY KEY,
  attempt_id INTEGER NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  device TEXT NOT NULL,
  timestamp REAL,
  elapsed_seconds REAL
);
CREATE INDEX device_sample_by_attempt ON device_sample (attempt_id);
`
}

/**
 * The usages of thousands of short jobs differ in their numbers alone. What else there is to a usage, some 2 KB of names
 * and words, stands in `usage_form`, and a usage that has such a form is just the list of its numbers. Forms are few, and
 * looked for by who meets one for the first time: an index would hold all of their text again.
 */
function ledger7(): string {
  return `
CREATE TABLE usage_form (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  form TEXT NOT NULL
);
ALTER TABLE attempt_usage ADD COLUMN form_id INTEGER REFERENCES usage_form (id);
`
}

/**
 * Benchmarks: which runs belong together, and which benchmarks were saved under a name to be compared with. The runs are
 * attempts like all others, and may be pruned; those of a baseline are kept.
 *
 * Marks: moments in the life of an attempt that its own program told of.
 */
function ledger8(): string {
  return `
CREATE TABLE benchmark (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  started_at REAL NOT NULL,
  ended_at REAL,
  definition TEXT NOT NULL
);

CREATE TABLE benchmark_run (
  benchmark_id INTEGER NOT NULL REFERENCES benchmark (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  run_number INTEGER NOT NULL,
  is_warm_up INTEGER NOT NULL,
  cell TEXT NOT NULL,
  PRIMARY KEY (benchmark_id, position)
) WITHOUT ROWID;
CREATE INDEX benchmark_run_by_task ON benchmark_run (task_id);

CREATE TABLE baseline (
  name TEXT PRIMARY KEY,
  benchmark_id INTEGER NOT NULL REFERENCES benchmark (id) ON DELETE CASCADE,
  saved_at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE mark (
  id INTEGER PRIMARY KEY,
  attempt_id INTEGER NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,
  timestamp REAL NOT NULL,
  elapsed_seconds REAL NOT NULL,
  step REAL,
  epoch REAL,
  phase TEXT,
  message TEXT
);
CREATE INDEX mark_by_attempt ON mark (attempt_id);
`
}

/**
 * Lists of jobs in pages. What attempts are filtered by stands in the index that they are walked by, and what jobs are
 * searched for in an index of theirs: of 100,000 jobs, those of one user are found in 6 ms instead of 24, and those with a
 * word in 12 ms instead of 67. `attempt_list` takes the place of the index that had only the time of the start.
 */
function ledger9(): string {
  return `
DROP INDEX attempt_by_start;
CREATE INDEX attempt_list ON attempt (started_at, id, status, user, host, run_id, job_id);
CREATE INDEX job_list ON job (name, tags, command, tool);
`
}

/**
 * Attempts that run elsewhere. `handle` is how their executor finds them again, in JSON: who resumes a workflow needs it
 * for as long as they run, which may be days, and who compares figures with those of a batch system after that. A run has
 * the executor that its attempts were handed to; NULL is this machine.
 */
function ledger10(): string {
  return `
CREATE TABLE attempt_handle (
  attempt_id INTEGER PRIMARY KEY REFERENCES attempt (id) ON DELETE CASCADE,
  handle TEXT NOT NULL
);
ALTER TABLE run ADD COLUMN executor TEXT;
`
}

/**
 * The executor that a workflow was to run on when it was stored: its runner may die before its first run begins. NULL is this
 * machine, or that nobody said.
 */
function ledger11(): string {
  return `
ALTER TABLE workflow ADD COLUMN executor TEXT;
`
}

/** How somebody said that a workflow is to be run, in JSON: whoever resumes it goes on in the same way. NULL: nobody said anything. */
function ledger12(): string {
  return `
ALTER TABLE workflow ADD COLUMN settings TEXT;
`
}
