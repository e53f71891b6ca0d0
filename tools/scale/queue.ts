import { costs } from './costs.ts'
import { daySeconds } from './site.ts'

/** What a queue is asked for: how many machines have a worker, and how many jobs go through it. */
export interface QueueSite {
  readonly workers: number
  readonly jobsPerDay: number
}

/** What that is for the database. */
export interface QueueLoad {
  readonly connections: number
  readonly statementsPerSecond: number
  /** How many cores of the server are busy with it. */
  readonly cores: number
}

/** Jobs that are submitted one by one, and workers that wait for the next; not how often those ask for what others get. */
export function queueLoad({ workers, jobsPerDay }: QueueSite): QueueLoad {
  const { submit, run, idleWorkerSecond, workerConnections } = costs.queue
  const jobsPerSecond = jobsPerDay / daySeconds
  return {
    connections: workers * workerConnections,
    statementsPerSecond:
      jobsPerSecond * (submit.statements + run.statements) + workers * idleWorkerSecond.statements,
    cores: (jobsPerSecond * (submit.ms + run.ms) + workers * idleWorkerSecond.ms) / 1000,
  }
}
