/**
 * A worker sends the records of what it ran in the name of who submitted it. The queue knows who that was and which role took
 * the job, so a worker needs no right to send what is of anybody (`jobmeter_node`), and cannot send in the name of those whose
 * jobs it did not take.
 */
export function queueRecords1(): string {
  return `
/* Whether the caller took this task from the queue, and this user submitted it. */
CREATE FUNCTION has_taken(task text, of_user text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM queue_attempt attempt
    JOIN queue_worker worker ON worker.id = attempt.worker_id AND worker.role = session_user
    JOIN queue_job job ON job.id = attempt.job_id
    /* Not by the lane that the attempt names: whoever takes a job writes that. */
    JOIN queue_lane lane ON lane.id = job.lane_id AND lane."user" = of_user
    WHERE attempt.task_id = CASE WHEN task ~ '^[0-9a-f]{32}$' THEN task::uuid END)
$$;
REVOKE ALL ON FUNCTION has_taken FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_taken TO jobmeter_writer;

ALTER POLICY own_source ON attempt WITH CHECK (${isOwnSource} AND ${isOfUser} AND (workflow_id IS NULL
  OR workflow_id = ANY (ARRAY(SELECT workflow.id FROM workflow WHERE workflow.${isOwnSource}))));
ALTER POLICY own_source ON sample_chunk WITH CHECK (${isOwnSource} AND ${isOfUser});
`
}

// Subqueries that depend on no row are run once for a statement.
const isOwnSource = 'source_id = ANY (ARRAY(SELECT id FROM source WHERE role = current_user))'
const isOfUser = `("user" = current_user::text OR (SELECT pg_has_role(current_user, 'jobmeter_node', 'MEMBER'))
  OR has_taken(task_id, "user"))`
