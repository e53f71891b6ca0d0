import type { OpenAPIHono } from '@hono/zod-openapi'
import { markReportJson } from '../../../render/marks/marks-json.ts'
import { recordJson } from '../../../render/record/record-json.ts'
import { adviceRows } from '../../../render/reports/recommend/json.ts'
import { sizeJob } from '../../../service/jobs/past-runs.ts'
import { markedParts } from '../../../service/marked-parts.ts'
import { visibleLedger } from '../../access/visible-ledger.ts'
import { jobFindings, jobParts } from '../../schemas/job-report.ts'
import { jobRecord } from '../../schemas/record.ts'
import { report } from '../../schemas/report.ts'
import { jobRecommendation } from '../../schemas/requests.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { longAnswer } from './long-answer.ts'
import { findTask, task } from './task.ts'

const getJob = operation({
  id: 'getJob',
  path: '/api/v1/jobs/{task_id}',
  tag: 'Jobs',
  summary: 'Everything that is known about one attempt, and how it was measured',
  params: task,
  answer: jobRecord,
})

const getFindings = operation({
  id: 'getFindings',
  path: '/api/v1/jobs/{task_id}/findings',
  tag: 'Jobs',
  summary: 'What happened in a job: its phases, what held it back, what to do',
  params: task,
  answer: jobFindings,
})

const getJobReport = operation({
  id: 'getJobReport',
  path: '/api/v1/jobs/{task_id}/report',
  tag: 'Jobs',
  summary: 'What the page of `jobmeter report` about a job is drawn from',
  params: task,
  answer: report,
})

const getJobRecommendation = operation({
  id: 'getJobRecommendation',
  path: '/api/v1/jobs/{task_id}/recommendation',
  tag: 'Jobs',
  summary: 'What to ask for when the job runs again',
  params: task,
  answer: jobRecommendation,
})

const getParts = operation({
  id: 'getParts',
  path: '/api/v1/jobs/{task_id}/parts',
  tag: 'Jobs',
  summary: 'The processes and threads of a job that mattered',
  params: task,
  answer: jobParts,
})

export function jobRecordRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { ledger, version } = served
  serve(api, getJob, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    const parts = await markedParts(reader, record, undefined)
    const [listed] = await reader.jobs.page({ taskId: record.taskId, limit: 1 }, null)
    return {
      ...recordJson(record),
      workflow_id: listed?.job.workflowId ?? null,
      run_id: listed?.job.runId ?? null,
      ...(parts === null ? {} : { marks: markReportJson(parts) }),
    }
  })
  serve(api, getParts, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    return longAnswer(served, viewer, record, { what: 'parts' })
  })
  serve(api, getFindings, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    return longAnswer(served, viewer, record, { what: 'findings' })
  })
  serve(api, getJobReport, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    return longAnswer(served, viewer, record, { what: 'report', version })
  })
  serve(api, getJobRecommendation, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    const { runs, advice } = await sizeJob(reader, record)
    const { taskId, name } = record
    return {
      task_id: taskId,
      name,
      attempts: runs,
      recommendations: adviceRows({ requests: [{ name, kind: 'own', jobCount: 1, advice }] }),
    }
  })
}
