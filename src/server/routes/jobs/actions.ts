import type { OpenAPIHono } from '@hono/zod-openapi'
import { cancelCommand } from '../../../service/actions/cancel-command.ts'
import { submitCommand as submit, submittedJob } from '../../../service/actions/submit-command.ts'
import { refuseSubmissions } from '../../access/submissions.ts'
import { visibleLedger } from '../../access/visible-ledger.ts'
import { given } from '../given.ts'
import { inConflict } from '../in-conflict.ts'
import { started } from '../started.ts'
import { commandStarted, commandSubmitted, jobCancelled } from '../../schemas/action.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { findTask, task } from './task.ts'

const submitCommand = operation({
  id: 'submitCommand',
  method: 'post',
  path: '/api/v1/jobs',
  tag: 'Jobs',
  summary: 'Starts a command, as `jobmeter run` does',
  description: 'Only where the configuration of the server allows it.',
  body: commandSubmitted,
  answer: commandStarted,
  status: 202,
})

const cancelJob = operation({
  id: 'cancelJob',
  method: 'post',
  path: '/api/v1/jobs/{task_id}/cancel',
  tag: 'Jobs',
  summary: 'Asks a running command to end',
  description: 'A job of a workflow is cancelled with its workflow.',
  params: task,
  answer: jobCancelled,
  status: 202,
})

/** Longer than a start takes on a busy machine; whoever asks is answered then, with the tag. */
const startSeconds = 3

export function jobActionRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { system, ledger } = served
  serve(api, submitCommand, async ({ body }) => {
    refuseSubmissions(served)
    const submission = await started(() =>
      submit(system, served.startPlace(), {
        command: body.command,
        ...given({
          name: body.name,
          tags: body.tags,
          cpus: body.cpus,
          memoryBytes: body.memory_bytes,
          gpus: body.gpus,
          runtimeSeconds: body.runtime_seconds,
          timeoutSeconds: body.timeout_seconds,
        }),
      }),
    )
    const job = await submittedJob(system, (ask) => ask(ledger), submission, startSeconds)
    return { task_id: job?.taskId ?? null, tag: submission.tag, pid: submission.pid }
  })
  serve(api, cancelJob, async ({ params, viewer }) => {
    const record = await findTask(visibleLedger(ledger, viewer), params, served)
    const pid = inConflict(() => cancelCommand(system, ledger.path, record))
    return { task_id: record.taskId, pid }
  })
}
