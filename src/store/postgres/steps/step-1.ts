import { access1 } from './access-1.ts'
import { partitions1 } from './partitions-1.ts'
import { words1 } from './words-1.ts'

/**
 * What the team ledger begins with. Columns have the names that they have in a local ledger, so that rows of both are read
 * by the same code; what a local ledger keeps as JSON text is text here too.
 *
 * `source` is a local ledger that sends what it holds. Numbers of jobs and workflows are the team's own, in the order in
 * which they came; `source_job_id` and `source_workflow_id` are those of the local ledger. What of a local ledger is here
 * already is told by `sent_attempt_id` and the marks of workflows and benchmarks, which change in the transaction that brings
 * the rows; `revision` grows with each, so that of two who send the same ledger at once one starts afresh.
 *
 * A task of a user is here once, whoever sends it: `attempt` is partitioned by time, so no index can see to that. Whoever adds
 * attempts locks their tasks first (`write/locks.ts`), and asks `known_tasks` for those that he cannot see. Who claims the
 * task of another user has a record of his own, which takes the place of nothing.
 *
 * Texts that are searched are compared byte by byte ("C"), as a local ledger does it, whatever the database sorts by.
 *
 * `attempt` has the facts of its job as well (`job_…`): most jobs are single commands with one attempt, and a month of them
 * is then dropped with its partition, without looking for jobs that nobody needs any more. `job` holds the jobs of workflows.
 */
export function step1(): string {
  return `
CREATE TABLE source (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ledger_id text NOT NULL UNIQUE,
  host text NOT NULL,
  path text NOT NULL,
  "user" text NOT NULL,
  role name NOT NULL DEFAULT current_user,
  version text NOT NULL,
  joined_at double precision NOT NULL DEFAULT extract(epoch FROM now()),
  heard_at double precision NOT NULL DEFAULT extract(epoch FROM now()),
  revision bigint NOT NULL DEFAULT 0,
  sent_attempt_id bigint NOT NULL DEFAULT 0,
  sent_task_id text,
  attempt_count bigint NOT NULL DEFAULT 0,
  sample_count bigint NOT NULL DEFAULT 0
);
CREATE INDEX source_by_role ON source (role);

/* Whose jobs somebody sees besides those of the user who has the name of his role. The administrator fills it. */
CREATE TABLE viewer (
  role name NOT NULL,
  "user" text NOT NULL,
  PRIMARY KEY (role, "user")
);

/* After how many months records and samples are dropped; without a row, never. */
CREATE TABLE retention (
  kind text PRIMARY KEY CHECK (kind IN ('records', 'samples')),
  months integer NOT NULL CHECK (months > 0)
);

CREATE SEQUENCE job_number;

CREATE TABLE workflow (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id bigint NOT NULL REFERENCES source (id),
  source_workflow_id bigint NOT NULL,
  name text NOT NULL,
  "user" text NOT NULL,
  created_at double precision NOT NULL,
  spec_path text NOT NULL,
  spec_text text NOT NULL,
  definition text NOT NULL,
  ${owner('')},
  sent_mark text NOT NULL,
  UNIQUE (source_id, source_workflow_id)
);
CREATE INDEX workflow_by_user ON workflow ("user");

CREATE TABLE name_list (
  workflow_id bigint NOT NULL REFERENCES workflow (id) ON DELETE CASCADE,
  id bigint NOT NULL,
  names text NOT NULL,
  PRIMARY KEY (workflow_id, id)
);

CREATE TABLE run (
  workflow_id bigint NOT NULL REFERENCES workflow (id) ON DELETE CASCADE,
  run_id integer NOT NULL,
  started_at double precision NOT NULL,
  ended_at double precision,
  host text NOT NULL,
  output_directory text NOT NULL,
  working_directory text,
  PRIMARY KEY (workflow_id, run_id)
);

CREATE TABLE job (
  id bigint PRIMARY KEY DEFAULT nextval('job_number'),
  source_id bigint NOT NULL REFERENCES source (id),
  source_job_id bigint NOT NULL,
  workflow_id bigint NOT NULL REFERENCES workflow (id) ON DELETE CASCADE,
  position integer,
  name text NOT NULL,
  state text NOT NULL,
  attempt_count integer NOT NULL,
  shell_command text NOT NULL,
  definition text NOT NULL,
  tool text NOT NULL,
  script text,
  params text NOT NULL,
  tags text NOT NULL,
  command text NOT NULL,
  working_directory text NOT NULL,
  cpus double precision,
  memory_bytes double precision,
  gpus double precision,
  runtime_seconds double precision,
  UNIQUE (source_id, source_job_id)
);
CREATE INDEX job_by_state ON job (workflow_id, state) WHERE position IS NOT NULL;
CREATE INDEX job_by_position ON job (workflow_id, position, id);
CREATE INDEX job_by_name ON job (name);

CREATE TABLE usage_form (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  form text NOT NULL,
  digest text GENERATED ALWAYS AS (md5(form)) STORED UNIQUE
);

CREATE SEQUENCE attempt_number;

CREATE TABLE attempt (
  id bigint NOT NULL DEFAULT nextval('attempt_number'),
  task_id text COLLATE "C" NOT NULL,
  source_id bigint NOT NULL,
  job_id bigint NOT NULL,
  workflow_id bigint,
  run_id integer,
  number integer NOT NULL,
  status text NOT NULL,
  started_at double precision NOT NULL,
  ended_at double precision,
  duration_seconds double precision,
  exit_code integer,
  signal text,
  reason text,
  stragglers text NOT NULL,
  cpu_user_seconds double precision,
  cpu_system_seconds double precision,
  cpu_seconds double precision,
  cpu_percent_mean double precision,
  cpu_percent_peak double precision,
  memory_peak_bytes double precision,
  memory_mean_bytes double precision,
  read_bytes double precision,
  write_bytes double precision,
  lower_bounds text,
  usage text,
  form_id bigint,
  marks text,
  "user" text COLLATE "C" NOT NULL,
  host text NOT NULL,
  cores integer NOT NULL,
  machine_memory_bytes double precision,
  ${owner('NOT NULL')},
  sample_interval_seconds double precision,
  samples_collected integer NOT NULL,
  samples_late integer NOT NULL,
  own_cpu_seconds double precision,
  job_name text COLLATE "C" NOT NULL,
  job_tool text COLLATE "C" NOT NULL,
  job_script text,
  job_params text NOT NULL,
  job_tags text COLLATE "C" NOT NULL,
  job_command text COLLATE "C" NOT NULL,
  job_working_directory text NOT NULL,
  job_cpus double precision,
  job_memory_bytes double precision,
  job_gpus double precision,
  job_runtime_seconds double precision
) PARTITION BY RANGE (started_at);
CREATE INDEX attempt_by_task ON attempt (task_id);
CREATE INDEX attempt_list ON attempt (started_at DESC, id DESC);
CREATE INDEX attempt_by_user ON attempt ("user", started_at DESC, id DESC);
CREATE INDEX attempt_by_id ON attempt (id);
CREATE INDEX attempt_by_job ON attempt (job_id, number);
CREATE INDEX attempt_by_workflow ON attempt (workflow_id) WHERE workflow_id IS NOT NULL;
CREATE INDEX attempt_running ON attempt (id) WHERE status = 'running';
CREATE INDEX attempt_unfinished ON attempt (source_id, id) WHERE status IN ('running', 'interrupted');

/*
 * Some rows of samples of an attempt, column by column, packed (\`chunk/\`). \`part\` is 'sample' for those of the attempt itself
 * and 'device' for those of its devices; rows are counted in the order in which they were written.
 */
CREATE TABLE sample_chunk (
  task_id text COLLATE "C" NOT NULL,
  "user" text NOT NULL,
  source_id bigint NOT NULL,
  started_at double precision NOT NULL,
  part text NOT NULL,
  first_row integer NOT NULL,
  row_count integer NOT NULL CHECK (row_count BETWEEN 1 AND 512),
  from_seconds double precision,
  to_seconds double precision,
  packed bytea NOT NULL CHECK (octet_length(packed) <= 1048576),
  PRIMARY KEY (task_id, part, first_row, source_id, started_at)
) PARTITION BY RANGE (started_at);
ALTER TABLE sample_chunk ALTER COLUMN packed SET STORAGE EXTERNAL;

CREATE TABLE benchmark (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id bigint NOT NULL REFERENCES source (id),
  source_benchmark_id bigint NOT NULL,
  "user" text NOT NULL,
  name text NOT NULL,
  started_at double precision NOT NULL,
  ended_at double precision,
  definition text NOT NULL,
  sent_mark text NOT NULL,
  UNIQUE (source_id, source_benchmark_id)
);
CREATE INDEX benchmark_by_user ON benchmark ("user");

CREATE TABLE benchmark_run (
  benchmark_id bigint NOT NULL REFERENCES benchmark (id) ON DELETE CASCADE,
  position integer NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  run_number integer NOT NULL,
  is_warm_up integer NOT NULL,
  cell text NOT NULL,
  PRIMARY KEY (benchmark_id, position)
);

CREATE TABLE baseline (
  source_id bigint NOT NULL REFERENCES source (id),
  name text NOT NULL,
  benchmark_id bigint NOT NULL REFERENCES benchmark (id) ON DELETE CASCADE,
  saved_at double precision NOT NULL,
  PRIMARY KEY (source_id, name)
);
${words1()}
${partitions1()}
${access1()}
`
}

const owner = (required: string): string => `
  owner_host text ${required},
  owner_boot_id text ${required},
  owner_pid integer ${required},
  owner_start_ticks bigint ${required},
  owner_pid_namespace text,
  owner_sign text,
  owner_sign_is_locked integer`
