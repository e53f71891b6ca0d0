import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { attemptStatuses } from '../../../model/outcome.ts'
import { listedJobJson } from '../../../render/record/listed-job-json.ts'
import { pastRunsJson } from '../../../render/record/past-runs-json.ts'
import { listJobs as readJobs } from '../../../service/jobs/list-jobs.ts'
import { attemptsAt } from '../../../service/jobs/attempts-at.ts'
import { pastRunsOf } from '../../../service/jobs/past-runs.ts'
import { usersSeenBy } from '../../access/may-see.ts'
import { visibleLedger } from '../../access/visible-ledger.ts'
import { given } from '../given.ts'
import { attempts, jobPage, pastRuns } from '../../schemas/job.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { operation, serve } from '../operation.ts'
import { limit, momentIn, names, several, when } from '../query.ts'
import { findTask, task } from './task.ts'

const listJobs = operation({
  id: 'listJobs',
  path: '/api/v1/jobs',
  tag: 'Jobs',
  summary: 'Attempts at jobs, newest first',
  description: 'A job must match everything that is given; of several values, one.',
  query: {
    limit: limit(500, 50),
    cursor: z.string().min(1).max(200).optional().openapi({ description: 'the next page' }),
    status: several(z.enum(attemptStatuses), 'how it stands or ended'),
    name: names('its name'),
    tag: names('a tag that it has'),
    user: names('whose it is'),
    tool: names('the program that it ran'),
    host: names('where it ran'),
    origin: z
      .enum(['command', 'workflow'])
      .optional()
      .openapi({ description: 'single commands only, or jobs of workflows only' }),
    since: when('started since then'),
    until: when('started before then'),
    search: z.string().min(1).max(200).optional().openapi({
      description:
        'a part of its name, command, tags or user, in any case, or the start of its task id',
    }),
  },
  answer: jobPage,
})

const listAttempts = operation({
  id: 'listAttempts',
  path: '/api/v1/jobs/{task_id}/attempts',
  tag: 'Jobs',
  summary: 'All attempts at the same job, the first one first',
  params: task,
  answer: attempts,
})

const listPastRuns = operation({
  id: 'listPastRuns',
  path: '/api/v1/jobs/{task_id}/past',
  tag: 'Jobs',
  summary: 'Past runs of the same job of the same user, and what changed since',
  params: task,
  query: { limit: limit(200, 30) },
  answer: pastRuns,
})

export function jobListRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { ledger, system } = served
  serve(api, listJobs, async ({ query, viewer }) => {
    const now = system.clock.wallSeconds()
    const { since, until, ...asked } = query
    const { jobs, nextCursor } = await readJobs(visibleLedger(ledger, viewer), {
      ...given(asked),
      limit: query.limit,
      owners: usersSeenBy(viewer),
      ...given({
        startedSince: momentIn('since', since, 'from', now),
        startedBefore: momentIn('until', until, 'to', now),
      }),
    })
    return { jobs: jobs.map(listedJobJson), next_cursor: nextCursor }
  })
  serve(api, listAttempts, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    return { attempts: (await attemptsAt(reader, record)).map(listedJobJson) }
  })
  serve(api, listPastRuns, async ({ params, query, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    return pastRunsJson(record.name, await pastRunsOf(reader, record, query.limit))
  })
}
