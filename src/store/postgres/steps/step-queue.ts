import { getConstructionPlans } from 'pg-boss'
import { bossSchema } from '../queue/boss.ts'

/**
 * What the queue keeps beside pg-boss. pg-boss has one row for each job that waits or runs: it hands them out in order of
 * priority and age, each to one worker, and fences the end of an attempt that is no longer the latest. All that it does not
 * know is here: what a job is and how it ended, which jobs are alike to whoever chooses among them (`queue_lane`), who holds
 * what until when (`queue_worker`, by the clock of the database alone), and what jobs print.
 */
export function stepQueue(): string {
  return `
CREATE TABLE queue_state (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  state text NOT NULL DEFAULT 'open',
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO queue_state DEFAULT VALUES;

CREATE TABLE queue_share ("user" text PRIMARY KEY, weight double precision NOT NULL);

/* Jobs that are alike to whoever chooses among them: a queue of pg-boss of the name lane-<id>. */
CREATE TABLE queue_lane (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "user" text NOT NULL,
  tool text NOT NULL,
  program text NOT NULL,
  image text NOT NULL,
  cpus double precision NOT NULL CHECK (cpus >= 0),
  memory_bytes double precision NOT NULL CHECK (memory_bytes >= 0),
  gpus double precision NOT NULL CHECK (gpus >= 0),
  labels text[] NOT NULL,
  served_at timestamptz NOT NULL DEFAULT '-infinity' CHECK (served_at < 'infinity'),
  overtaken integer NOT NULL DEFAULT 0 CHECK (overtaken BETWEEN 0 AND 1000000),
  reserved_by uuid,
  reserved_since timestamptz,
  UNIQUE ("user", tool, program, image, cpus, memory_bytes, gpus, labels)
);

CREATE TABLE queue_worker (
  id uuid PRIMARY KEY,
  host text NOT NULL,
  "user" text NOT NULL,
  cpus double precision NOT NULL,
  memory_bytes double precision NOT NULL,
  gpus double precision NOT NULL,
  labels text[] NOT NULL,
  state text NOT NULL DEFAULT 'alive',
  lease_seconds double precision NOT NULL CHECK (lease_seconds BETWEEN 0 AND 1e9),
  lease_until timestamptz NOT NULL CHECK (isfinite(lease_until)),
  joined_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  /* What it accepts, as its file says: for people to be told of, the worker itself decides. */
  rules text NOT NULL DEFAULT '{}'
);
CREATE INDEX queue_worker_alive ON queue_worker (lease_until) WHERE state IN ('alive', 'draining');

CREATE TABLE queue_job (
  id uuid PRIMARY KEY,
  lane_id bigint REFERENCES queue_lane (id),
  name text NOT NULL,
  priority integer NOT NULL,
  definition text NOT NULL,
  role name NOT NULL DEFAULT session_user,
  after_job uuid,
  state text NOT NULL,
  retries integer NOT NULL,
  interruptions integer NOT NULL,
  attempt_count integer NOT NULL DEFAULT 0,
  cancel_requests integer NOT NULL DEFAULT 0,
  submitted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz,
  exit_code integer,
  reason text
);
CREATE INDEX queue_job_after ON queue_job (after_job) WHERE state = 'waiting';
CREATE INDEX queue_job_open ON queue_job (state) WHERE ended_at IS NULL;
CREATE INDEX queue_job_cancelled ON queue_job (id) WHERE cancel_requests > 0 AND ended_at IS NULL;

/*
 * running: its worker has a lease; ended: its result is the one that counts; interrupted: its worker lost the lease;
 * superseded: a result that came after that.
 */
CREATE TABLE queue_attempt (
  task_id uuid PRIMARY KEY,
  job_id uuid NOT NULL REFERENCES queue_job (id) ON DELETE CASCADE,
  lane_id bigint NOT NULL,
  worker_id uuid NOT NULL,
  number integer NOT NULL,
  fence integer NOT NULL,
  state text NOT NULL DEFAULT 'running',
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  has_started boolean NOT NULL DEFAULT false,
  /* Its worker took it before it had room for it, and has not begun it as far as is known. */
  is_ahead boolean NOT NULL DEFAULT false,
  ended_at timestamptz,
  result text
);
CREATE INDEX queue_attempt_by_job ON queue_attempt (job_id, number);
CREATE INDEX queue_attempt_running ON queue_attempt (worker_id) WHERE state = 'running';

CREATE TABLE queue_log (
  task_id uuid NOT NULL REFERENCES queue_attempt (task_id) ON DELETE CASCADE,
  stream text NOT NULL,
  from_byte bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (task_id, stream, from_byte)
);

${bossTables()}

GRANT USAGE ON SCHEMA ${bossSchema} TO jobmeter_server, jobmeter_writer, jobmeter_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${bossSchema} TO jobmeter_writer;
GRANT SELECT ON ALL TABLES IN SCHEMA ${bossSchema} TO jobmeter_server, jobmeter_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables.join(', ')} TO jobmeter_writer;
GRANT SELECT ON ${tables.join(', ')} TO jobmeter_server;
`
}

const tables = [
  'queue_state',
  'queue_share',
  'queue_lane',
  'queue_worker',
  'queue_job',
  'queue_attempt',
  'queue_log',
]

/** Those of pg-boss in the version that this build has, in the transaction of all the rest. */
const bossTables = (): string =>
  getConstructionPlans(bossSchema)
    .replace(/^\s*BEGIN;/, '')
    .replace(/COMMIT;\s*$/, '')
