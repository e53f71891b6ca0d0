import { bossSchema } from '../queue/boss-version.ts'
import { queueFunctions1 } from './queue-functions-1.ts'

/**
 * Who may do what in the queue, and how long it is kept. The groups are those of `access-1.ts`, and one more:
 *
 * - `jobmeter_writer` submits jobs in its own name, sees and ends them; all but the job itself is written by functions.
 * - `jobmeter_worker` takes the jobs of everybody for workers of its own, and submits none.
 * - `jobmeter_reader` sees what waits and runs of those whose records it sees.
 * - `jobmeter_admin` decides on the state of the queue and on shares, and may submit in anybody's name.
 *
 * All see which workers there are. What a job is and whose it is does not change once it was submitted, whoever asks. Writers
 * can change, and so lock, no row that a worker needs.
 */
export function queueAccess1(): string {
  return `
GRANT USAGE ON SCHEMA jobmeter TO jobmeter_worker;
GRANT SELECT ON version, retention TO jobmeter_worker;

ALTER TABLE queue_share ADD CHECK (weight > 0 AND weight < 'infinity');

${queueFunctions1()}

GRANT SELECT ON queue_state, queue_share, queue_worker TO ${everybody};
GRANT SELECT ON ${ofJobs.join(', ')} TO ${everybody};
GRANT INSERT (id, lane_id, name, priority, definition, after_job, state, retries, interruptions, reason, ended_at)
  ON queue_job TO jobmeter_writer;
GRANT UPDATE (state, retries, interruptions, attempt_count, ended_at, exit_code, reason) ON queue_job TO jobmeter_worker;
GRANT UPDATE (served_at, overtaken, reserved_by, reserved_since) ON queue_lane TO jobmeter_worker;
GRANT INSERT (id, host, "user", cpus, memory_bytes, gpus, labels, rules, lease_seconds, lease_until),
  UPDATE (state, lease_until) ON queue_worker TO jobmeter_worker;
GRANT INSERT (task_id, job_id, lane_id, worker_id, number, fence, is_ahead), DELETE,
  UPDATE (state, has_started, is_ahead, ended_at, result)
  ON queue_attempt TO jobmeter_worker;
GRANT INSERT, DELETE, UPDATE (bytes) ON queue_log TO jobmeter_worker;

${[...ofJobs, 'queue_worker'].map((table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;\n`).join('')}
${ofJobs.map(allSeen).join('')}

CREATE POLICY all_workers ON queue_worker FOR SELECT USING (true);
CREATE POLICY own_worker ON queue_worker TO jobmeter_worker USING (role = current_user) WITH CHECK (role = current_user);

CREATE POLICY own_lane ON queue_lane FOR SELECT TO jobmeter_writer USING ("user" = current_user);
CREATE POLICY seen_lane ON queue_lane FOR SELECT TO jobmeter_reader
  USING ("user" = ANY (ARRAY(SELECT current_user::text UNION ALL SELECT viewer."user" FROM viewer WHERE role = current_user)));
CREATE POLICY worker_serves ON queue_lane FOR UPDATE TO jobmeter_worker USING (true);

CREATE POLICY own_job ON queue_job FOR SELECT TO jobmeter_writer USING (${isOwn});
CREATE POLICY submitted_job ON queue_job FOR INSERT TO jobmeter_writer WITH CHECK (role = current_user AND (${isOwn})
  AND CASE WHEN ended_at IS NULL THEN state IN ('queued', 'waiting') ELSE state IN ('cancelled', 'interrupted') END);
CREATE POLICY seen_job ON queue_job FOR SELECT TO jobmeter_reader USING (${ofSeenLane});
CREATE POLICY taken_job ON queue_job FOR UPDATE TO jobmeter_worker
  USING (state = 'queued' OR EXISTS (SELECT FROM queue_attempt JOIN queue_worker worker ON worker.id = worker_id
    WHERE job_id = queue_job.id AND worker.role = current_user))
  WITH CHECK (true);

CREATE POLICY seen_cancel ON queue_cancel FOR SELECT TO jobmeter_writer, jobmeter_reader
  USING (EXISTS (SELECT FROM queue_job WHERE queue_job.id = job_id));

CREATE POLICY own_attempt ON queue_attempt FOR SELECT TO jobmeter_writer USING (${ofOwnLane});
CREATE POLICY seen_attempt ON queue_attempt FOR SELECT TO jobmeter_reader USING (${ofSeenLane});
/* An attempt is in the lane of its job. */
CREATE POLICY begun_attempt ON queue_attempt FOR INSERT TO jobmeter_worker WITH CHECK (${ofOwnWorker} AND EXISTS (
  SELECT FROM queue_job job WHERE job.id = queue_attempt.job_id AND job.lane_id = queue_attempt.lane_id));
CREATE POLICY changed_attempt ON queue_attempt FOR UPDATE TO jobmeter_worker USING (${ofOwnWorker});
CREATE POLICY undone_attempt ON queue_attempt FOR DELETE TO jobmeter_worker USING (${ofOwnWorker});

CREATE POLICY seen_log ON queue_log FOR SELECT TO jobmeter_writer, jobmeter_reader
  USING (EXISTS (SELECT FROM queue_attempt WHERE queue_attempt.task_id = queue_log.task_id));
CREATE POLICY kept_log ON queue_log FOR INSERT TO jobmeter_worker WITH CHECK (${ofOwnAttempt});
CREATE POLICY longer_log ON queue_log FOR UPDATE TO jobmeter_worker USING (${ofOwnAttempt});
CREATE POLICY dropped_log ON queue_log FOR DELETE TO jobmeter_worker USING (${ofOwnAttempt});

${bossAccess}
${retention}
`
}

const ofJobs = ['queue_lane', 'queue_job', 'queue_cancel', 'queue_attempt', 'queue_log']
const everybody = 'jobmeter_server, jobmeter_writer, jobmeter_worker, jobmeter_reader'

// A subquery that depends on no row is run once for a statement.
const ofOwnLane = `lane_id = ANY (ARRAY(SELECT id FROM queue_lane WHERE "user" = current_user))`
const isOwn = `${ofOwnLane} OR (lane_id IS NULL AND role = current_user)`
/** The subquery sees what the policies of lanes let through. */
const ofSeenLane = 'lane_id = ANY (ARRAY(SELECT id FROM queue_lane))'
const ofOwnWorker =
  'EXISTS (SELECT FROM queue_worker worker WHERE worker.id = worker_id AND worker.role = current_user)'
const ofOwnAttempt = `EXISTS (SELECT FROM queue_attempt WHERE queue_attempt.task_id = queue_log.task_id AND ${ofOwnWorker})`

const allSeen = (table: string): string =>
  `CREATE POLICY all_seen ON ${table} FOR SELECT TO jobmeter_server, jobmeter_worker USING (true);\n`

/** Workers fetch from the tables of pg-boss, and let go of what is over; lanes and places in the queue are made by functions. */
const bossAccess = `
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${bossSchema} FROM PUBLIC;
GRANT USAGE ON SCHEMA ${bossSchema} TO ${everybody};
GRANT SELECT ON ${bossSchema}.version TO ${everybody};
GRANT EXECUTE ON FUNCTION ${bossSchema}.job_now TO jobmeter_worker;
GRANT SELECT ON ${bossSchema}.queue, ${bossSchema}.job TO jobmeter_worker;
GRANT SELECT, DELETE, UPDATE (state, started_on, heartbeat_on, retry_count, start_after)
  ON ${bossSchema}.job_common TO jobmeter_worker;
`

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
GRANT EXECUTE ON FUNCTION prune_queue TO jobmeter_writer, jobmeter_worker;
`
