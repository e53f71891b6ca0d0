import { bossSchema } from '../queue/boss.ts'

/**
 * Who may do what in the queue, and how long it is kept. The groups are those of `access-1.ts`, and one more:
 *
 * - `jobmeter_writer` submits jobs in its own name, sees and ends them, and may run them on workers of its own.
 * - `jobmeter_worker` takes the jobs of everybody, and submits none.
 * - `jobmeter_reader` sees what waits and runs of those whose records it sees.
 * - `jobmeter_admin` decides on the state of the queue and on shares, and may submit in anybody's name.
 *
 * All see which workers there are. What a job is and whose it is does not change once it was submitted, whoever asks.
 */
export function queueAccess1(): string {
  return `
REVOKE ALL ON ALL TABLES IN SCHEMA ${bossSchema} FROM jobmeter_writer, jobmeter_reader;
REVOKE ALL ON queue_state, queue_share, queue_lane, queue_worker, queue_job, queue_attempt, queue_log
  FROM jobmeter_writer;
GRANT USAGE ON SCHEMA jobmeter, ${bossSchema} TO jobmeter_worker;
GRANT SELECT ON version, retention TO jobmeter_worker;

ALTER TABLE queue_share ADD CHECK (weight > 0 AND weight < 'infinity');
ALTER TABLE queue_worker ADD COLUMN role name NOT NULL DEFAULT session_user;

/* In whose name the caller submits: in his own, unless he is an administrator. */
CREATE FUNCTION queue_submitter(claimed text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT CASE WHEN pg_has_role('jobmeter_admin', 'USAGE') THEN claimed ELSE current_user::text END
$$;

GRANT SELECT ON queue_state, queue_share, queue_worker TO ${everybody};
GRANT SELECT ON queue_lane, queue_job, queue_attempt, queue_log TO ${everybody};
GRANT INSERT ON queue_job TO jobmeter_writer;
GRANT UPDATE (state, retries, interruptions, attempt_count, cancel_requests, ended_at, exit_code, reason)
  ON queue_job TO ${takers};
GRANT INSERT ON queue_lane TO jobmeter_writer;
GRANT UPDATE (served_at, overtaken, reserved_by, reserved_since) ON queue_lane TO ${takers};
GRANT INSERT, UPDATE (state, lease_until) ON queue_worker TO ${takers};
GRANT INSERT, DELETE, UPDATE (state, has_started, ended_at, result) ON queue_attempt TO ${takers};
GRANT INSERT, DELETE, UPDATE (bytes) ON queue_log TO ${takers};

ALTER TABLE queue_worker ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_workers ON queue_worker FOR SELECT USING (true);
CREATE POLICY own_worker ON queue_worker TO ${takers}
  USING (role = current_user) WITH CHECK (role = current_user);
/* Whoever finds that a lease is over says so. */
CREATE POLICY lost_worker ON queue_worker FOR UPDATE TO ${takers}
  USING (lease_until < clock_timestamp()) WITH CHECK (state = 'lost');

ALTER TABLE queue_lane ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_lane ON queue_lane TO jobmeter_writer
  USING ("user" = current_user) WITH CHECK ("user" = current_user);
CREATE POLICY seen_lane ON queue_lane FOR SELECT TO jobmeter_reader
  USING ("user" = ANY (ARRAY(SELECT current_user::text UNION ALL SELECT viewer."user" FROM viewer WHERE role = current_user)));

ALTER TABLE queue_job ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_job ON queue_job TO jobmeter_writer
  USING (${ofOwnLane} OR (lane_id IS NULL AND role = current_user))
  WITH CHECK (${ofOwnLane} OR (lane_id IS NULL AND role = current_user));
CREATE POLICY own_name ON queue_job AS RESTRICTIVE FOR INSERT TO jobmeter_writer WITH CHECK (role = current_user);
CREATE POLICY seen_job ON queue_job FOR SELECT TO jobmeter_reader USING (${ofSeenLane});

ALTER TABLE queue_attempt ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_attempt ON queue_attempt TO jobmeter_writer USING (${ofOwnLane}) WITH CHECK (${ofOwnLane});
CREATE POLICY seen_attempt ON queue_attempt FOR SELECT TO jobmeter_reader USING (${ofSeenLane});

ALTER TABLE queue_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_log ON queue_log TO jobmeter_writer
  USING (EXISTS (SELECT FROM queue_attempt WHERE queue_attempt.task_id = queue_log.task_id AND ${ofOwnLane}));
CREATE POLICY seen_log ON queue_log FOR SELECT TO jobmeter_reader
  USING (EXISTS (SELECT FROM queue_attempt WHERE queue_attempt.task_id = queue_log.task_id));

${['queue_lane', 'queue_job', 'queue_attempt', 'queue_log'].map(allSeen).join('')}
${['queue_lane', 'queue_job', 'queue_attempt', 'queue_log'].map(taken).join('')}
${bossAccess()}
${retention}
`
}

const everybody = 'jobmeter_server, jobmeter_writer, jobmeter_worker, jobmeter_reader'
const takers = 'jobmeter_writer, jobmeter_worker'

// A subquery that depends on no row is run once for a statement.
const ofOwnLane = `lane_id = ANY (ARRAY(SELECT id FROM queue_lane WHERE "user" = current_user))`
/** The subquery sees what the policies of lanes let through. */
const ofSeenLane = 'lane_id = ANY (ARRAY(SELECT id FROM queue_lane))'

const allSeen = (table: string): string =>
  `CREATE POLICY server_reads ON ${table} FOR SELECT TO jobmeter_server USING (true);\n`

/** For which rights of a table the group has is said by its grants. */
const taken = (table: string): string =>
  `CREATE POLICY worker_takes ON ${table} TO jobmeter_worker USING (true);\n`

/** pg-boss writes to the parts of its table by their names. */
function bossAccess(): string {
  const ownName = `name = ANY (ARRAY(SELECT 'lane-' || id FROM jobmeter.queue_lane WHERE "user" = current_user))`
  const guarded = ['job', 'job_common', 'queue'].map(
    (table) => `
ALTER TABLE ${bossSchema}.${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_lane ON ${bossSchema}.${table} TO jobmeter_writer USING (${ownName}) WITH CHECK (${ownName});
CREATE POLICY worker_takes ON ${bossSchema}.${table} TO jobmeter_worker USING (true);
CREATE POLICY server_reads ON ${bossSchema}.${table} FOR SELECT TO jobmeter_server USING (true);`,
  )
  return `
GRANT SELECT ON ${bossSchema}.version TO ${everybody};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${bossSchema}.job, ${bossSchema}.job_common TO ${takers};
GRANT SELECT, INSERT ON ${bossSchema}.queue TO jobmeter_writer;
GRANT SELECT ON ${bossSchema}.queue TO jobmeter_worker;
${guarded.join('')}
`
}

/** Jobs that are over go with the records of their time, and what they printed with the samples. */
const retention = `
CREATE INDEX queue_job_by_time ON queue_job USING brin (submitted_at);

/* Answers how many jobs were deleted: as many as one transaction should. */
CREATE FUNCTION prune_queue() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp SET lock_timeout = '5s' AS $$
DECLARE
  records_since timestamptz := to_timestamp(kept_since('records'));
  logs_since timestamptz := greatest(records_since, to_timestamp(kept_since('samples')));
  pruned integer;
BEGIN
  DELETE FROM queue_job WHERE id IN (
    SELECT id FROM queue_job WHERE submitted_at < records_since AND ended_at < records_since
    LIMIT 10000 FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS pruned = ROW_COUNT;
  DELETE FROM queue_log USING queue_job job, queue_attempt attempt
    WHERE job.submitted_at < logs_since AND job.ended_at < logs_since
      AND attempt.job_id = job.id AND queue_log.task_id = attempt.task_id;
  DELETE FROM queue_worker worker WHERE state IN ('gone', 'lost') AND lease_until < records_since
    AND NOT EXISTS (SELECT FROM queue_attempt WHERE worker_id = worker.id);
  /* Whoever knows a lane that has gone, and comes with a job for it, makes another. */
  WITH gone AS (
    DELETE FROM queue_lane WHERE id IN (
      SELECT id FROM queue_lane lane WHERE served_at < records_since
        AND NOT EXISTS (SELECT FROM queue_job WHERE lane_id = lane.id)
        AND NOT EXISTS (SELECT FROM ${bossSchema}.job WHERE name = 'lane-' || lane.id)
      LIMIT 1000 FOR UPDATE SKIP LOCKED)
    RETURNING id)
  DELETE FROM ${bossSchema}.queue USING gone WHERE name = 'lane-' || gone.id;
  RETURN pruned;
END
$$;
CREATE INDEX queue_job_by_lane ON queue_job (lane_id);
CREATE INDEX queue_attempt_by_worker ON queue_attempt (worker_id);
REVOKE ALL ON FUNCTION prune_queue FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prune_queue TO ${takers};
`
