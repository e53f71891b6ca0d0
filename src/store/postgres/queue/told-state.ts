/** The state of `job` as it is told: what a worker has taken before it has room for it still waits. */
export const toldState = `CASE WHEN job.state = 'running' AND job.id IN (
    SELECT job_id FROM queue_attempt WHERE state = 'running' AND is_ahead) THEN 'queued' ELSE job.state END`
