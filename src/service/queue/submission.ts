import { describeJob, type KnownOfJob } from '../../model/describe-job.ts'
import type { QueueOrder } from '../../model/queue-order.ts'
import type { QueueSubmission } from '../../model/queue.ts'
import { queueTag } from '../../model/queue-tag.ts'
import { wellFormed } from '../../model/well-formed.ts'
import type { System } from '../../system/system.ts'

/** A job that somebody wants to have run, as far as it is said. */
export interface WantedJob {
  readonly command: readonly string[]
  readonly known: KnownOfJob
  readonly environment: Readonly<Record<string, string>>
  readonly labels: readonly string[]
  readonly image: string
  readonly timeoutSeconds: number | null
  readonly memoryLimitBytes: number | null
  readonly graceSeconds: number
  readonly priority: number
  readonly retries: number
  readonly interruptions: number
  readonly after: string | null
}

/** Time between samples of a job, where nobody says otherwise. */
const usualIntervalSeconds = 1

/** What the queue is given of it. */
export function submissionOf(system: System, wanted: WantedJob): QueueSubmission {
  const { command, known, priority, retries, interruptions, after, ...rest } = wanted
  const id = system.randomId()
  const tags = [...(known.tags ?? []), queueTag(id)]
  const order: QueueOrder = {
    ...describeJob(wellFormed(command), wellFormed({ ...known, tags })),
    // As it is, with bytes that are no text: the worker runs just this.
    command,
    environment: rest.environment,
    labels: rest.labels,
    image: rest.image,
    timeoutSeconds: rest.timeoutSeconds,
    memoryLimitBytes: rest.memoryLimitBytes,
    graceSeconds: rest.graceSeconds,
    intervalSeconds: usualIntervalSeconds,
  }
  const { user } = system.host
  return { id, user, order, priority, retries, interruptions, after }
}
