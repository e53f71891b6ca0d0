import { describeJob } from '../../../model/describe-job.ts'
import type { QueueSubmission } from '../../../model/queue.ts'
import type { AttemptOrder } from '../../run/executor.ts'

/** An attempt as a job of the queue: it is run once, and told of as lost if its worker is. */
export function attemptSubmission(
  order: AttemptOrder,
  given: { readonly user: string; readonly priority: number; readonly labels: readonly string[] },
): QueueSubmission {
  const { taskId, command, workingDirectory, requirements, environment } = order
  const name = environment['JOBMETER_JOB_NAME']
  return {
    id: taskId,
    user: given.user,
    priority: given.priority,
    retries: 0,
    interruptions: 0,
    after: null,
    order: {
      ...describeJob(command, { name, requirements, workingDirectory }),
      environment: {},
      labels: given.labels,
      image: '',
      timeoutSeconds: order.timeoutSeconds,
      memoryLimitBytes: order.memoryLimitBytes,
      graceSeconds: order.graceSeconds,
      intervalSeconds: order.intervalSeconds,
      attempt: order,
    },
  }
}
