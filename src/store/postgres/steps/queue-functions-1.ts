import { bossSchema } from '../queue/boss-version.ts'
import { noLimit } from '../queue/boss.ts'
import { arrivals, endings } from '../queue/news.ts'

/**
 * What people change in the queue, they change through these: they have no right to do so otherwise. None of them holds a row
 * that a worker waits for, however long somebody leaves a transaction open: workers pass over rows that are locked, and
 * `mend_queue` sees to those later. Whose session it is counts, for within a function the owner of all of it is at work.
 */
export const queueFunctions1 = (): string => `
CREATE FUNCTION is_queue_administrator() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT pg_has_role(session_user, 'jobmeter_admin', 'USAGE')
$$;

/* In whose name the caller submits: in his own, unless he is an administrator. */
CREATE FUNCTION queue_submitter(claimed text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT CASE WHEN is_queue_administrator() THEN claimed ELSE session_user::text END
$$;

/* The lanes of these, which have no two alike, in their order; those that are not there yet are made. */
CREATE FUNCTION make_lanes(
  users text[], tools text[], programs text[], images text[],
  cpus double precision[], memory_bytes double precision[], gpus double precision[], labels text[]
) RETURNS SETOF bigint ${definer} AS $$
#variable_conflict use_column
BEGIN
  IF NOT is_queue_administrator() AND EXISTS (SELECT FROM unnest(users) AS given WHERE given <> session_user) THEN
    RAISE insufficient_privilege USING MESSAGE = 'permission denied: nobody submits in the name of another';
  END IF;
  INSERT INTO queue_lane (${laneColumns}) SELECT ${laneColumns} FROM (${givenLanes}) AS given
    LEFT JOIN queue_lane lane USING (${laneColumns}) WHERE lane.id IS NULL ORDER BY place ON CONFLICT DO NOTHING;
  PERFORM ${bossSchema}.create_queue('lane-' || lane.id, '${JSON.stringify(laneSettings)}')
    FROM (${givenLanes}) AS given JOIN queue_lane lane USING (${laneColumns})
    LEFT JOIN ${bossSchema}.queue ON queue.name = 'lane-' || lane.id WHERE queue.name IS NULL ORDER BY lane.id;
  RETURN QUERY SELECT lane.id FROM (${givenLanes}) AS given JOIN queue_lane lane USING (${laneColumns}) ORDER BY place;
END
$$;

/* Gives jobs that can be taken their places in the queue. */
CREATE FUNCTION place_jobs(ids uuid[]) RETURNS void ${definer} AS $$
BEGIN
  ${placed('queue_job WHERE id = ANY(ids) AND')};
END
$$;

/* The job and its place in the queue are there together. */
CREATE FUNCTION place_submitted() RETURNS trigger ${definer} AS $$
BEGIN
  ${placed('submitted WHERE')};
  RETURN NULL;
END
$$;
CREATE TRIGGER place_submitted AFTER INSERT ON queue_job REFERENCING NEW TABLE AS submitted
  FOR EACH STATEMENT EXECUTE FUNCTION place_submitted();

/*
 * Has those begin that waited for a job that succeeded; those that waited for another one that is over are cancelled, and
 * those that wait for them. Answers how many; if there are too many for one transaction, mend_queue sees to the rest.
 */
CREATE FUNCTION follow_jobs(ids uuid[]) RETURNS integer ${definer} AS $$
DECLARE
  ended uuid[] := ids;
  open uuid[];
  total integer := 0;
BEGIN
  FOR step IN 1..${longestChain} LOOP
    EXIT WHEN total >= ${mostFollowers}
      OR NOT EXISTS (SELECT FROM queue_job WHERE after_job = ANY(ended) AND state = 'waiting');
    WITH follower AS (
      SELECT job.id, before.id AS before_id, before.state AS before_state
      FROM ${followers} AND job.after_job = ANY(ended) LIMIT ${mostFollowers} FOR UPDATE OF job SKIP LOCKED
    ), followed AS (
      UPDATE queue_job job SET
        state = CASE before_state WHEN 'success' THEN 'queued' ELSE 'cancelled' END,
        ended_at = CASE before_state WHEN 'success' THEN NULL ELSE clock_timestamp() END,
        reason = CASE before_state WHEN 'success' THEN NULL ELSE 'not run, because task '
          || replace(before_id::text, '-', '') || ' before it ended with the status ' || before_state END
      FROM follower WHERE job.id = follower.id RETURNING job.id, job.state
    )
    SELECT array_agg(id) FILTER (WHERE state = 'queued'), array_agg(id) FILTER (WHERE state <> 'queued'),
      total + count(*) INTO open, ended, total FROM followed;
    IF open IS NOT NULL THEN
      PERFORM place_jobs(open);
      PERFORM pg_notify('${arrivals}', '');
    END IF;
  END LOOP;
  RETURN total;
END
$$;

/*
 * Ends the jobs of attempts whose end counts, or has them run again where their rule allows it. A job that was to end is
 * cancelled, however it ended then: its attempt has the rest. One that was 'returned' was
 * not begun, and is as it was before it was taken.
 */
CREATE FUNCTION settle_jobs(
  ids uuid[], lanes bigint[], fences integer[], statuses text[], exit_codes integer[], reasons text[]
) RETURNS void ${caller} AS $$
#variable_conflict use_column
DECLARE
  rerun uuid[];
  over uuid[];
BEGIN
  WITH told AS (
    SELECT given.*, cancelled, NOT cancelled AND CASE
        WHEN status IN ('failed', 'timeout', 'error') THEN retries > 0
        WHEN status = 'interrupted' THEN interruptions > 0 ELSE status = 'returned' END AS again
    FROM unnest(ids, statuses, exit_codes, reasons) AS given (id, status, exit_code, reason)
    JOIN queue_job USING (id)
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM queue_cancel WHERE job_id = given.id) AS cancelled) AS asked
    WHERE state = 'running'
  ), settled AS (
    UPDATE queue_job job SET
      state = CASE WHEN again THEN 'queued' WHEN cancelled THEN 'cancelled' ELSE status END,
      retries = retries - (again AND status IN ('failed', 'timeout', 'error'))::int,
      interruptions = interruptions - (again AND status = 'interrupted')::int,
      attempt_count = attempt_count - (status = 'returned')::int,
      ended_at = CASE WHEN again THEN NULL ELSE clock_timestamp() END,
      exit_code = told.exit_code, reason = CASE WHEN cancelled AND status = 'returned' THEN 'cancelled before it began'
        ELSE left(told.reason, ${mostReason}) END
    FROM told WHERE job.id = told.id RETURNING job.id, again
  )
  SELECT array_agg(id) FILTER (WHERE again), array_agg(id) FILTER (WHERE NOT again)
    INTO rerun, over FROM settled;
  IF rerun IS NOT NULL THEN
    UPDATE ${bossSchema}.job_common boss SET state = 'retry', start_after = now()
      FROM unnest(ids, lanes, fences) AS given (job_id, lane_id, fence)
      WHERE boss.name = 'lane-' || lane_id AND boss.id = job_id AND retry_count = fence AND job_id = ANY(rerun);
    PERFORM pg_notify('${arrivals}', '');
  END IF;
  DELETE FROM ${bossSchema}.job_common boss
    USING unnest(ids, lanes, fences) AS given (job_id, lane_id, fence)
    WHERE boss.name = 'lane-' || lane_id AND boss.id = job_id AND retry_count = fence
      AND (rerun IS NULL OR job_id <> ALL(rerun));
  IF over IS NOT NULL THEN
    PERFORM pg_notify('${endings}', '');
    PERFORM follow_jobs(over);
  END IF;
END
$$;

/*
 * Takes what they held from workers whose lease is over, or who left without hearing that they had taken something;
 * answers how many jobs that were. Those who are neither workers nor
 * administrators do so for their own jobs: they could hold up others by not committing it.
 */
CREATE FUNCTION reap_workers() RETURNS integer ${definer} AS $$
DECLARE
  lost record;
  for_all boolean := is_queue_administrator() OR pg_has_role(session_user, 'jobmeter_worker', 'USAGE');
BEGIN
  UPDATE queue_worker SET state = 'lost' WHERE id IN (
    SELECT id FROM queue_worker worker WHERE state IN ('alive', 'draining') AND lease_until < clock_timestamp()
      AND (for_all OR EXISTS (SELECT FROM queue_attempt attempt JOIN queue_lane lane ON lane.id = lane_id
        WHERE worker_id = worker.id AND attempt.state = 'running' AND lane."user" = session_user))
    FOR UPDATE SKIP LOCKED) AND lease_until < clock_timestamp();
  WITH interrupted AS (
    UPDATE queue_attempt attempt SET state = 'interrupted', ended_at = clock_timestamp()
    FROM (SELECT task_id, host FROM queue_attempt JOIN queue_worker worker ON worker.id = worker_id
      JOIN queue_lane lane ON lane.id = lane_id
      WHERE worker.state IN ('lost', 'gone') AND queue_attempt.state = 'running' AND (for_all OR lane."user" = session_user)
      FOR UPDATE OF queue_attempt SKIP LOCKED) AS held
    WHERE attempt.task_id = held.task_id
    RETURNING job_id, lane_id, fence, 'its worker on ' || host || ' was lost' AS reason
  )
  SELECT array_agg(job_id) AS jobs, array_agg(lane_id) AS lanes, array_agg(fence) AS fences,
    array_agg('interrupted'::text) AS statuses, array_agg(NULL::integer) AS exit_codes, array_agg(reason) AS reasons
    INTO lost FROM interrupted;
  IF lost.jobs IS NULL THEN RETURN 0; END IF;
  PERFORM settle_jobs(lost.jobs, lost.lanes, lost.fences, lost.statuses, lost.exit_codes, lost.reasons);
  RETURN cardinality(lost.jobs);
END
$$;

/* Ends a job that nobody has taken. */
CREATE FUNCTION end_untaken(job uuid) RETURNS void ${definer} AS $$
DECLARE
  was_queued boolean;
BEGIN
  /* The row of pg-boss before ours, as whoever takes jobs does: else two of them could wait for each other. */
  DELETE FROM ${bossSchema}.job_common WHERE (name, id) IN (
    SELECT boss.name, boss.id FROM queue_job
    JOIN ${bossSchema}.job_common boss ON boss.name = 'lane-' || lane_id AND boss.id = queue_job.id
    WHERE queue_job.id = job AND boss.state < 'active' FOR UPDATE OF boss SKIP LOCKED);
  was_queued := FOUND;
  UPDATE queue_job SET state = 'cancelled', ended_at = clock_timestamp(), exit_code = NULL,
      reason = CASE attempt_count WHEN 0 THEN 'cancelled before it began' ELSE 'cancelled before it began again' END
    WHERE id = job AND state = CASE WHEN was_queued THEN 'queued' ELSE 'waiting' END;
  IF FOUND THEN
    PERFORM pg_notify('${endings}', '');
    PERFORM follow_jobs(ARRAY[job]);
  END IF;
  ${forgotten('AND id = (SELECT lane_id FROM queue_job WHERE queue_job.id = job)')};
END
$$;

/*
 * Has a job end that is the caller's own: at once if nobody has taken it, else whoever has it is told. The same request again
 * is the same request; NULL: one more. False for a job that is over or not there.
 */
CREATE FUNCTION cancel_job(job uuid, request integer) RETURNS boolean ${definer} AS $$
BEGIN
  PERFORM FROM queue_job LEFT JOIN queue_lane lane ON lane.id = lane_id WHERE queue_job.id = job AND ended_at IS NULL
    AND (is_queue_administrator() OR coalesce(lane."user", role) = session_user);
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO queue_cancel (job_id, requests) VALUES (job, coalesce(request, 1))
    ON CONFLICT (job_id) DO UPDATE SET requested_at = clock_timestamp(),
      requests = greatest(queue_cancel.requests, coalesce(request, queue_cancel.requests + 1));
  PERFORM end_untaken(job);
  PERFORM pg_notify('${arrivals}', '');
  RETURN true;
END
$$;

/* Ends and begins what somebody's lock, bad luck in time or sheer number has kept from it; answers how many followed. */
CREATE FUNCTION mend_queue() RETURNS integer ${definer} AS $$
BEGIN
  PERFORM end_untaken(job_id) FROM queue_cancel JOIN queue_job ON id = job_id
    WHERE requested_at > clock_timestamp() - interval '1 hour' AND state IN ('queued', 'waiting');
  ${forgotten('')};
  RETURN follow_jobs(ARRAY(SELECT DISTINCT before.id FROM ${followers} LIMIT 1000));
END
$$;

REVOKE ALL ON FUNCTION make_lanes, place_jobs, place_submitted, follow_jobs, settle_jobs, reap_workers, end_untaken,
  cancel_job, mend_queue FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_lanes, cancel_job TO jobmeter_writer;
GRANT EXECUTE ON FUNCTION follow_jobs TO jobmeter_writer, jobmeter_worker;
GRANT EXECUTE ON FUNCTION settle_jobs, mend_queue TO jobmeter_worker;
GRANT EXECUTE ON FUNCTION reap_workers TO jobmeter_server, jobmeter_writer, jobmeter_worker, jobmeter_reader;
`

const laneColumns = '"user", tool, program, image, cpus, memory_bytes, gpus, labels'

const givenLanes = `SELECT "user", tool, program, image, cpus, memory_bytes, gpus,
      ARRAY(SELECT jsonb_array_elements_text(listed::jsonb)) AS labels, place
    FROM unnest(make_lanes.users, make_lanes.tools, make_lanes.programs, make_lanes.images, make_lanes.cpus,
        make_lanes.memory_bytes, make_lanes.gpus, make_lanes.labels)
      WITH ORDINALITY AS given ("user", tool, program, image, cpus, memory_bytes, gpus, listed, place)`

/** In characters: a refusal may quote what somebody wrote, and a job that cannot be settled would hold up its worker. */
const mostReason = 16_000

/** Enough for a transaction that workers wait for. */
const mostFollowers = 5_000
const longestChain = 500

/** Jobs that wait for one that is over. Nobody has their jobs follow those of another user. */
const followers = `queue_job job JOIN queue_lane lane ON lane.id = job.lane_id
      JOIN queue_job before ON before.id = job.after_job LEFT JOIN queue_lane before_lane ON before_lane.id = before.lane_id
      WHERE job.state = 'waiting' AND before.ended_at IS NOT NULL
        AND (lane."user" = coalesce(before_lane."user", before.role) OR job.role = before.role)`

/** Where nothing waits, nothing is owed to those that come later for what others had to wait. */
const forgotten = (
  lanes: string,
): string => `UPDATE queue_lane SET overtaken = 0, reserved_by = NULL, reserved_since = NULL WHERE id IN (
    SELECT id FROM queue_lane lane WHERE (overtaken > 0 OR reserved_by IS NOT NULL) ${lanes}
      AND NOT EXISTS (SELECT FROM ${bossSchema}.job_common boss WHERE boss.name = 'lane-' || lane.id AND boss.state < 'active')
    FOR NO KEY UPDATE SKIP LOCKED)`

const placed = (
  jobsWhere: string,
): string => `INSERT INTO ${bossSchema}.job_common (id, name, priority, policy, retry_limit)
    SELECT id, 'lane-' || lane_id, priority, 'standard', ${noLimit} FROM ${jobsWhere} state = 'queued' AND lane_id IS NOT NULL
    ON CONFLICT DO NOTHING`

/** One more claim of a job always has a higher number than those before it; we say when there is none any more. */
const laneSettings = { policy: 'standard', retryLimit: noLimit, retryDelay: 0 }

// Plans for what is there by now: a session lives for days, and the queue may have been empty when it began.
const caller =
  'LANGUAGE plpgsql SET search_path = pg_catalog, jobmeter, pg_temp SET plan_cache_mode = force_custom_plan'
const definer = `${caller} SECURITY DEFINER`
