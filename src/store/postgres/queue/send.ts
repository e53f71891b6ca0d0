import type { Statements } from '../connection.ts'
import { bossSchema } from './boss.ts'

/** A job that can be taken from now on. */
export interface Sent {
  readonly id: string
  readonly lane: number
  readonly priority: number
}

/** As `insert` of pg-boss does for the jobs of one lane: there may be thousands of lanes. */
export async function sendJobs(statements: Statements, jobs: readonly Sent[]): Promise<void> {
  if (jobs.length === 0) return
  await statements.run(
    `INSERT INTO ${bossSchema}.job (id, name, priority, start_after, created_on, expire_seconds, deletion_seconds, keep_until,
       retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
     SELECT id, name, priority, now(), now(), expire_seconds, deletion_seconds,
       now() + retention_seconds * interval '1 s', retry_limit, retry_delay, retry_backoff, retry_delay_max, policy,
       dead_letter, heartbeat_seconds
     FROM unnest(?::uuid[], ?::bigint[], ?::int[]) WITH ORDINALITY AS sent (id, lane, priority, place)
     JOIN ${bossSchema}.queue ON name = 'lane-' || lane ORDER BY place
     ON CONFLICT DO NOTHING`,
    [jobs.map(({ id }) => id), jobs.map(({ lane }) => lane), jobs.map(({ priority }) => priority)],
  )
}
