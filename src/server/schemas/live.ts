import { z } from '@hono/zod-openapi'
import { alert } from './alert.ts'
import { jobBrief } from './job.ts'
import { workflowProgress } from './workflow.ts'
import { figure, texts, whole } from './values.ts'

const rows = z.array(z.array(figure))

/** `event: attempt` */
const liveAttempt = z
  .object({
    change: z.enum(['found', 'began', 'changed', 'ended']),
    job: jobBrief,
    machine: z
      .object({ cores: whole, memory_bytes: figure })
      .openapi({ description: 'how large the machine is that it runs on' }),
  })
  .openapi('LiveAttempt')

/** `event: samples`. Rows take the place of all rows from `first_row` on; null: read the samples anew. */
const liveSamples = z
  .object({
    task_id: z.string(),
    columns: texts,
    first_row: whole.nullable(),
    rows,
    devices: z.array(
      z.object({ kind: z.string(), id: z.string(), columns: texts, first_row: whole, rows }),
    ),
  })
  .openapi('LiveSamples')

/** `event: workflow` */
const liveWorkflow = z.object({ workflow: workflowProgress }).openapi('LiveWorkflow')

/** `event: alert` */
const liveAlert = z
  .object({
    change: z.enum(['found', 'fired', 'acknowledged', 'resolved']),
    alert: alert.omit({ deliveries: true }),
  })
  .openapi('LiveAlert')

/** What the data of an event is, by the name of the event. `reset` has none: read everything anew. */
export const liveData = z
  .union([liveAttempt, liveSamples, liveWorkflow, liveAlert, z.object({})])
  .openapi('LiveData')

export type LiveAttemptData = z.infer<typeof liveAttempt>
export type LiveSamplesData = z.infer<typeof liveSamples>
export type LiveWorkflowData = z.infer<typeof liveWorkflow>
export type LiveAlertData = z.infer<typeof liveAlert>
