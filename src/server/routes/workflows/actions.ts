import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  refuseHostile,
  resumeWorkflow as resume,
  submitWorkflow,
  untilTaken,
} from '../../../service/actions/submit-workflow.ts'
import { cancelWorkflow as cancel } from '../../../service/change-workflow.ts'
import { UserError } from '../../../service/user-error.ts'
import { specErrorLines, type SpecError } from '../../../workflow/spec/problem.ts'
import { refuseSubmissions } from '../../access/submissions.ts'
import { visibleLedger } from '../../access/visible-ledger.ts'
import { Problem } from '../../problem.ts'
import { inConflict } from '../in-conflict.ts'
import { started } from '../started.ts'
import { specSubmitted, workflowCancelled, workflowStarted } from '../../schemas/action.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { findHead, place } from './place.ts'

const submitSpec = operation({
  id: 'submitSpec',
  method: 'post',
  path: '/api/v1/workflows',
  tag: 'Workflows',
  summary: 'Keeps a workflow file in the ledger, and runs it',
  description: 'Only where the configuration of the server allows it.',
  body: specSubmitted,
  answer: workflowStarted,
  status: 202,
})

const cancelWorkflow = operation({
  id: 'cancelWorkflow',
  method: 'post',
  path: '/api/v1/workflows/{workflow_id}/cancel',
  tag: 'Workflows',
  summary: 'Has the runner of a workflow stop',
  params: place,
  answer: workflowCancelled,
  status: 202,
})

const resumeWorkflow = operation({
  id: 'resumeWorkflow',
  method: 'post',
  path: '/api/v1/workflows/{workflow_id}/resume',
  tag: 'Workflows',
  summary: 'Runs what is left of a workflow, as `jobmeter run-jobs` does',
  params: place,
  answer: workflowStarted,
  status: 202,
})

/** Longer than a runner takes to begin on a busy machine. */
const startSeconds = 20

export function workflowActionRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { system, ledger } = served
  /** Workflows whose runner is on its way: until it has come, the ledger does not know of it. */
  const starting = new Set<number>()
  /** What cannot run is refused in the runner's words; `undo` takes back what was kept of it. */
  const begun = async (
    workflowId: number,
    start: Parameters<typeof untilTaken>[3],
    undo: () => Promise<unknown>,
  ): Promise<void> => {
    try {
      await untilTaken(system, ledger, workflowId, start, startSeconds)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      await undo()
      throw new Problem(409, error.message)
    }
  }
  serve(api, submitSpec, async ({ body, viewer }) => {
    refuseSubmissions(served)
    const sent = { text: body.spec, fileName: body.file_name }
    refuseHostile(sent)
    const read = await served.readSpec(sent, viewer.user)
    const made = await started(() =>
      served.change((open) => submitWorkflow(system, open, served.startPlace(), sent, read)),
    )
    if (made.kind === 'wrong') throw new Problem(400, errorsText(made.errors))
    await begun(made.workflowId, { runner: made.runner, runsBefore: 0 }, () =>
      served.change((open) => open.workflows.deleteWorkflow(made.workflowId)),
    )
    return { workflow_id: made.workflowId, pid: made.runner.pid }
  })
  serve(api, cancelWorkflow, async ({ params, viewer }) => {
    const { workflowId } = await findHead(visibleLedger(ledger, viewer), params)
    const { runnerPid, jobs, leftovers } = await served.change((open) =>
      inConflict(() => cancel(system, open, String(workflowId), () => {})),
    )
    return {
      workflow_id: workflowId,
      runner_pid: runnerPid,
      jobs_cancelled: jobs,
      processes_ended: leftovers,
    }
  })
  serve(api, resumeWorkflow, async ({ params, viewer }) => {
    refuseSubmissions(served)
    const { workflowId } = await findHead(visibleLedger(ledger, viewer), params)
    if (starting.has(workflowId))
      throw new Problem(409, `Workflow ${workflowId} is being started already.`)
    starting.add(workflowId)
    try {
      const start = await started(() =>
        served.change((open) =>
          inConflict(() => resume(system, open, served.startPlace(), String(workflowId))),
        ),
      )
      await begun(workflowId, start, async () => {})
      return { workflow_id: workflowId, pid: start.runner.pid }
    } finally {
      starting.delete(workflowId)
    }
  })
}

/** What an answer has room for. */
const mostErrors = 20
const mostCharacters = 500

const errorsText = (errors: readonly SpecError[]): string =>
  specErrorLines(errors, mostErrors)
    .map((line) => line.slice(0, mostCharacters))
    .join('\n')
