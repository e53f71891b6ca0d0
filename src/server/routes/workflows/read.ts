import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { jobStates } from '../../../model/job-state.ts'
import { attemptStatuses } from '../../../model/outcome.ts'
import { progressJson } from '../../../render/live/live-json.ts'
import { runJson, workflowJson } from '../../../render/workflow/workflow-json.ts'
import { workflowJobJson } from '../../../render/workflow/workflow-jobs.ts'
import { resultJson, resultKeys } from '../../../render/workflow/results-rows.ts'
import { knownRun } from '../../../service/known-run.ts'
import { planHere } from '../../../service/plan-here.ts'
import { workflowProgress } from '../../../service/workflow-progress.ts'
import { writtenNames } from '../../../workflow/spec-edit/written-requests.ts'
import { visibleLedger } from '../../access/visible-ledger.ts'
import { Problem } from '../../problem.ts'
import { given } from '../given.ts'
import {
  plan,
  results,
  runs,
  workflow,
  workflowJobs,
  workflowList,
} from '../../schemas/workflow.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { limit, several, yesOrNo } from '../query.ts'
import { findHead, findWhole, place, runAsked } from './place.ts'

const listWorkflows = operation({
  id: 'listWorkflows',
  path: '/api/v1/workflows',
  tag: 'Workflows',
  summary: 'Workflows, newest first',
  query: {
    limit: limit(500, 50),
    cursor: z.string().min(1).max(200).optional().openapi({ description: 'the next page' }),
  },
  answer: workflowList,
})

const getWorkflow = operation({
  id: 'getWorkflow',
  path: '/api/v1/workflows/{workflow_id}',
  tag: 'Workflows',
  summary: 'A workflow without its jobs: where it came from, how its jobs stand, who runs it',
  params: place,
  answer: workflow,
})

const listRuns = operation({
  id: 'listRuns',
  path: '/api/v1/workflows/{workflow_id}/runs',
  tag: 'Workflows',
  summary: 'Each time that a workflow was run',
  params: place,
  answer: runs,
})

const listWorkflowJobs = operation({
  id: 'listWorkflowJobs',
  path: '/api/v1/workflows/{workflow_id}/jobs',
  tag: 'Workflows',
  summary: 'The jobs of a workflow, in the order of its file',
  params: place,
  query: { state: several(z.enum(jobStates), 'only those that stand so') },
  answer: workflowJobs,
})

const listResults = operation({
  id: 'listResults',
  path: '/api/v1/workflows/{workflow_id}/results',
  tag: 'Workflows',
  summary: 'What became of its jobs, and what they used',
  params: place,
  query: {
    run_id: runAsked,
    all_runs: yesOrNo('all attempts of all runs'),
    status: several(z.enum(attemptStatuses), 'only those that ended so'),
  },
  answer: results,
})

const getPlan = operation({
  id: 'getPlan',
  path: '/api/v1/workflows/{workflow_id}/plan',
  tag: 'Workflows',
  summary: 'What a workflow does: stages, critical path, most resources at once',
  params: place,
  answer: plan,
})

function cursorIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Problem(400, 'cursor: not one that a list has given')
  return Number(text)
}

export function workflowReadRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { ledger, system } = served
  serve(api, listWorkflows, async ({ query, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const all = await reader.workflows.listWorkflows()
    const before = query.cursor === undefined ? Infinity : cursorIn(query.cursor)
    const left = all.filter(({ workflowId }) => workflowId < before)
    const shown = left.slice(0, query.limit)
    const isMore = left.length > shown.length
    return {
      workflows: await Promise.all(
        shown.map(async (head) => {
          const ran = await reader.workflows.runs(head.workflowId)
          const progress = workflowProgress(system, reader, head, ran)
          return { ...workflowJson(head), progress: progressJson(progress) }
        }),
      ),
      next_cursor: isMore ? String(shown.at(-1)?.workflowId) : null,
    }
  })
  serve(api, getWorkflow, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const stored = await findWhole(reader, params)
    const all = await reader.workflows.runs(stored.workflowId)
    const progress = workflowProgress(system, reader, stored, all)
    return {
      ...workflowJson(stored),
      progress: progressJson(progress),
      runs: all.map(runJson),
      is_being_run: progress.isBeingRun,
      // The jobs are many, and have a route of their own.
      workflow: { ...stored.workflow, jobs: undefined },
    }
  })
  serve(api, listRuns, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const { workflowId } = await findHead(reader, params)
    const all = await reader.workflows.runs(workflowId)
    return { workflow_id: workflowId, runs: all.map(runJson) }
  })
  serve(api, listWorkflowJobs, async ({ params, query, viewer }) => {
    const stored = await findWhole(visibleLedger(ledger, viewer), params)
    const { workflowId, jobs, specText, specPath } = stored
    const asked = jobs.filter(({ state }) => query.state?.includes(state) !== false)
    const written = writtenNames(specText, specPath)
    return {
      workflow_id: workflowId,
      jobs: asked.map((job) => ({
        ...workflowJobJson(job),
        template: written.get(job.job.name) ?? job.job.name,
      })),
    }
  })
  serve(api, listResults, async ({ params, query, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const head = await findHead(reader, params)
    const runId = knownRun(head, query.run_id) ?? undefined
    const { workflowId } = head
    const asked = given({ runId, status: query.status })
    return {
      workflow_id: workflowId,
      results: await reader.workflows.briefResults(
        workflowId,
        query.all_runs ? { ...asked, allRuns: true } : asked,
        resultKeys,
        (result) => ({ task_id: result.record.taskId, ...resultJson(result) }),
      ),
    }
  })
  serve(api, getPlan, async ({ params, viewer }) => {
    const { workflow: stored } = await findWhole(visibleLedger(ledger, viewer), params)
    return planHere(system, stored)
  })
}
