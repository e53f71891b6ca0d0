import { isOpen } from '../model/outcome.ts'
import { sizeRequest } from '../analysis/sizing/sizing.ts'
import { savingsOf, totalSavings } from '../analysis/sizing/sizing-savings.ts'
import type { Requirements } from '../model/job.ts'
import type { Recommendation, RecommendedRequest } from '../analysis/sizing/recommendation.ts'
import type { UtilizationRow } from '../model/utilization-row.ts'
import type { StoredJob, StoredWorkflow } from '../store/ledger/workflow-store.ts'
import type { WrittenRequest } from '../workflow/spec-edit/written-requests.ts'

interface Group extends Pick<RecommendedRequest, 'kind' | 'name'> {
  readonly requested: Requirements
  readonly jobs: StoredJob[]
}

/** Sizes every request of a workflow; `written` tells which jobs are one in the file. */
export function sizeRequests(
  { workflowId, jobs }: StoredWorkflow,
  attempts: readonly UtilizationRow[],
  written: readonly WrittenRequest[],
): Recommendation {
  const { groups, jobsWithoutRequest } = requestsOf(jobs, written)
  const byJob = Map.groupBy(attempts, ({ jobId }) => jobId)
  const sized = groups.map(({ kind, name, requested, jobs: own }) => {
    const ended = own.flatMap(({ jobId }) => byJob.get(jobId) ?? [])
    const advice = sizeRequest(requested, ended)
    const request: RecommendedRequest = { kind, name, jobCount: own.length, advice }
    return { request, savings: savingsOf(advice, ended) }
  })
  return {
    workflowId,
    runs: new Set(attempts.map(({ runId }) => runId)).size,
    attempts: attempts.filter(({ status }) => !isOpen(status)).length,
    requests: sized.map(({ request }) => request),
    savings: totalSavings(sized.map(({ savings }) => savings)),
    jobsWithoutRequest,
  }
}

/** Jobs by the request that rules them: by its name, or by the job of the file that they all come from. */
function requestsOf(
  jobs: readonly StoredJob[],
  written: readonly WrittenRequest[],
): { readonly groups: readonly Group[]; readonly jobsWithoutRequest: number } {
  const templates = new Map(
    written.flatMap((request) =>
      request.kind === 'own' ? request.jobs.map((job) => [job, request.name] as const) : [],
    ),
  )
  const groups = new Map<string, Group>()
  let jobsWithoutRequest = 0
  for (const stored of jobs) {
    const { name: jobName, requirements, requirementsName } = stored.job
    if (requirementsName === null && asksForNothing(requirements)) {
      jobsWithoutRequest += 1
      continue
    }
    const kind = requirementsName === null ? 'own' : 'named'
    const name = requirementsName ?? templates.get(jobName) ?? jobName
    const key = `${kind} ${name}`
    const group = groups.get(key) ?? { kind, name, requested: requirements, jobs: [] }
    groups.set(key, group)
    group.jobs.push(stored)
  }
  return { groups: [...groups.values()], jobsWithoutRequest }
}

const asksForNothing = (requirements: Requirements): boolean =>
  Object.values(requirements).every((value) => value === null)
