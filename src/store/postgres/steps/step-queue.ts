import { bossSchema, bossTables } from '../queue/boss-version.ts'

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
  cpus double precision NOT NULL CHECK (cpus >= 0 AND cpus < 'infinity'),
  memory_bytes double precision NOT NULL CHECK (memory_bytes >= 0 AND memory_bytes < 'infinity'),
  gpus double precision NOT NULL CHECK (gpus >= 0 AND gpus < 'infinity'),
  labels text[] NOT NULL,
  served_at timestamptz NOT NULL DEFAULT '-infinity' CHECK (served_at < 'infinity'),
  overtaken integer NOT NULL DEFAULT 0 CHECK (overtaken BETWEEN 0 AND 1000000),
  reserved_by uuid,
  reserved_since timestamptz,
  UNIQUE ("user", tool, program, image, cpus, memory_bytes, gpus, labels)
);

CREATE TABLE queue_worker (
  id uuid PRIMARY KEY,
  role name NOT NULL DEFAULT session_user,
  host text NOT NULL CHECK (host ~ '^[^[:cntrl:]]+$'),
  "user" text NOT NULL CHECK ("user" ~ '^[^[:cntrl:]]+$'),
  cpus double precision NOT NULL CHECK (cpus BETWEEN 0 AND 1e6),
  memory_bytes double precision NOT NULL CHECK (memory_bytes BETWEEN 0 AND 2 ^ 62),
  gpus double precision NOT NULL CHECK (gpus BETWEEN 0 AND 1e6),
  labels text[] NOT NULL CHECK (array_to_string(labels, '', ' ') !~ '[[:cntrl:]]'),
  state text NOT NULL DEFAULT 'alive' CHECK (state IN ('alive', 'draining', 'gone', 'lost')),
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
  retries integer NOT NULL CHECK (retries >= 0),
  interruptions integer NOT NULL CHECK (interruptions >= 0),
  attempt_count integer NOT NULL DEFAULT 0,
  submitted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz,
  exit_code integer,
  reason text
);
CREATE INDEX queue_job_after ON queue_job (after_job) WHERE state = 'waiting';
CREATE INDEX queue_job_open ON queue_job (state) WHERE ended_at IS NULL;

/* Apart from the job: whoever asks for its end, and does not commit, must not hold up the worker that runs it. */
CREATE TABLE queue_cancel (
  job_id uuid PRIMARY KEY REFERENCES queue_job (id) ON DELETE CASCADE,
  requests integer NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX queue_cancel_by_time ON queue_cancel (requested_at);

/* The first attempt at a job has the id of the job, and no other has one that somebody could choose. */
CREATE FUNCTION attempt_id(job_id uuid, number integer) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE number WHEN 1 THEN job_id
  ELSE encode(substring(sha256(uuid_send(job_id) || int4send(number)) FROM 1 FOR 16), 'hex')::uuid END;

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
  result text,
  CHECK (task_id = attempt_id(job_id, number))
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

/* pg-boss writes some of these into its statements as they are: there is no lane for which they are others. */
ALTER TABLE ${bossSchema}.queue ADD CONSTRAINT queue_of_lane CHECK (
  name ~ '^lane-[0-9]+$' AND policy = 'standard' AND table_name = 'job_common' AND NOT partition AND NOT notify
  AND dead_letter IS NULL AND heartbeat_seconds IS NULL AND singletons_active IS NULL);
`
}
