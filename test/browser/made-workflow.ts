import { dirname } from 'node:path'
import { measured } from '../../src/model/measured.ts'
import { emptyUsage } from '../../src/model/usage.ts'
import type { AttemptStatus, OutcomeStatus } from '../../src/model/outcome.ts'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import { readSpec } from '../../src/workflow/spec/read-spec.ts'
import { someEnd, someStart } from '../contracts/attempts.ts'
import { firstSecond, madeName, madeTaskId, makeSeries } from './made-series.ts'

/** A name that would do harm if anybody took it for HTML. */
export const hostileName = '<img src=x onerror=alert(1)>"\'&amp;</script>'

/** A workflow in a ledger: loads, then computes in parallel on 8 places, then sums up. Always the same. */
export function makeWorkflow(
  ledgerPath: string,
  jobs: number,
  withSeries: boolean,
): { workflowId: number } {
  const ledger = openSqliteLedger(ledgerPath)
  const spec = readSpec(specText(jobs), 'nightly.yaml')
  if (spec.kind === 'invalid') throw new Error(spec.errors[0]?.message)
  const host = 'node01'
  const outputDirectory = dirname(ledgerPath)
  const workflowId = ledger.workflows.createWorkflow({
    workflow: spec.workflow,
    specPath: 'nightly.yaml',
    specText: specText(jobs),
    user: 'ada',
    createdAt: firstSecond,
  })
  const stored = ledger.workflows.findWorkflow(workflowId)
  const runId = ledger.workflows.beginRun(workflowId, {
    startedAt: firstSecond,
    outputDirectory,
    host,
    workingDirectory: outputDirectory,
  })
  const free = Array.from({ length: 8 }, () => firstSecond)
  const ends = new Map<string, number>()
  ledger.batch(() => {
    for (const [index, { jobId, job }] of (stored?.jobs ?? []).entries()) {
      const ready = Math.max(firstSecond, ...job.dependsOn.map((name) => ends.get(name) ?? 0))
      const place = free.indexOf(Math.min(...free))
      let start = Math.max(ready, free[place] ?? 0) + 0.5
      const tries: OutcomeStatus[] =
        index % 17 === 16
          ? ['failed']
          : index % 13 === 12
            ? ['failed', 'success']
            : index % 29 === 28
              ? ['timeout']
              : ['success']
      for (const [number, status] of tries.entries()) {
        const durationSeconds = 60 + ((index * 37) % 240) * (status === 'failed' ? 0.4 : 1)
        const cpus = job.requirements.cpus ?? 1
        const memory = job.requirements.memoryBytes ?? 2 ** 30
        const peak = memory * (0.3 + ((index * 7) % 10) / 12 + (index % 17 === 16 ? 0.4 : 0))
        const ref = ledger.workflows.beginAttempt(
          { jobId, workflowId, runId, attempt: number + 1 },
          someStart(madeTaskId(index, number + 1), {
            startedAt: start,
            job: { name: job.name, requirements: job.requirements },
          }),
        )
        ledger.jobs.finish(ref, {
          ...someEnd(),
          endedAt: start + durationSeconds,
          durationSeconds,
          outcome: outcomeOf(status),
          usage: {
            ...emptyUsage('the machine does not tell'),
            cpuTotalSeconds: measured(durationSeconds * cpus * 0.7, 'cgroup cpu.stat'),
            cpuPercentMean: measured(cpus * 70, 'cgroup cpu.stat'),
            cpuPercentPeak: measured(cpus * (82 + (index % 25)), 'cgroup cpu.stat, 1 s windows'),
            memoryPeakBytes: measured(peak, 'PSS at highs'),
            memoryMeanBytes: measured(peak * 0.8, 'PSS at highs'),
            readBytes: measured(2 ** 30, '/proc io'),
            writeBytes: measured(2 ** 28, '/proc io'),
            processesPeak: measured(1 + cpus, '/proc'),
          },
        })
        ledger.workflows.setStates([{ jobId, state: status }])
        start += durationSeconds + 3
      }
      free[place] = start - 3
      ends.set(job.name, start - 3)
    }
  })
  ledger.workflows.endRun(workflowId, runId, Math.max(...free))
  ledger.close()
  if (withSeries) makeSeries(outputDirectory, { jobs, samplesPerJob: 120, retryEvery: 13 })
  return { workflowId }
}

function outcomeOf(status: AttemptStatus & OutcomeStatus) {
  const reason = {
    failed: 'out of memory: the cgroup killed a process',
    timeout: 'over its limit of 4 minutes',
  }[status as string]
  return {
    status,
    exitCode: status === 'success' ? 0 : status === 'timeout' ? 124 : 137,
    signal: status === 'success' ? null : 'SIGKILL',
    reason: reason ?? null,
    stragglers: [],
  }
}

function specText(jobs: number): string {
  const first = Math.max(1, Math.floor(jobs * 0.2))
  const requirements = ['small', 'medium', 'large']
  const lines = Array.from({ length: jobs }, (_, index) => {
    const name = index === 1 ? hostileName : madeName(index)
    const waits =
      index < first
        ? []
        : index === jobs - 1
          ? [...Array(Math.min(20, index)).keys()].map((back) => index - 1 - back)
          : [(index * 7) % first]
    const waitsFor = waits.map((at) => (at === 1 ? hostileName : madeName(at)))
    return `  - ${JSON.stringify({
      name,
      command: 'work',
      resource_requirements: requirements[index % 3],
      ...(waitsFor.length === 0 ? {} : { depends_on: waitsFor }),
    })}`
  })
  return `name: nightly variants
description: reads of one night, aligned and called
resource_requirements:
  - { name: small, num_cpus: 1, memory: 2g, runtime: PT3M }
  - { name: medium, num_cpus: 4, memory: 6g, runtime: PT5M }
  - { name: large, num_cpus: 8, memory: 16g, runtime: PT10M }
jobs:
${lines.join('\n')}
`
}
