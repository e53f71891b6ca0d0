import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unsuccessful } from '../../../src/model/outcome.ts'
import type { EarlierQuery, ResultQuery } from '../../../src/store/ledger/workflow-store.ts'
import { gpuReason, usedCards } from '../../../src/model/gpu-usage.ts'
import { certainValue, isLowerBound, type Measured } from '../../../src/model/measured.ts'
import { memoryLimitMetIn } from '../../../src/model/usage.ts'
import { anyEnd, anyStart } from '../any-attempt.ts'
import { someEnd } from '../attempts.ts'
import type { FreshLedger } from './fresh-ledger.ts'

/** What is told of the attempts of a workflow. */
export function workflowResultsContract(at: FreshLedger): void {
  describe('results', () => {
    const shown = (workflowId: number, query: ResultQuery) =>
      at.ledger.workflows
        .results(workflowId, query)
        .map(({ runId, attempt, record }) => `${record.name} ${runId}.${attempt} ${record.status}`)

    it('are the latest of each job, those of a run, or all', () => {
      const workflow = at.put(['b', 'a', 'c'])
      const other = at.put(['a'])
      workflow.end(workflow.begin('a', 1, 1), 'failed')
      workflow.end(workflow.begin('b', 1, 1))
      workflow.end(workflow.begin('a', 1, 2), 'timeout')
      workflow.end(workflow.begin('a', 2, 3))
      workflow.begin('c', 2, 1)
      other.end(other.begin('a', 1, 1), 'failed')
      const { id } = workflow
      expect(shown(id, {})).toEqual(['b 1.1 success', 'a 2.3 success', 'c 2.1 running'])
      expect(shown(id, { runId: 1 })).toEqual(['b 1.1 success', 'a 1.1 failed', 'a 1.2 timeout'])
      expect(shown(id, { allRuns: true })).toHaveLength(5)
      expect(shown(id, { status: unsuccessful })).toEqual([])
      expect(shown(id, { status: unsuccessful, allRuns: true })).toEqual([
        'a 1.1 failed',
        'a 1.2 timeout',
      ])
      expect(shown(id, { runId: 1, status: unsuccessful })).toHaveLength(2)
      expect(shown(id, { status: ['running'] })).toEqual(['c 2.1 running'])
      expect(shown(id, { jobId: workflow.jobId('a'), allRuns: true })).toHaveLength(3)
      expect(shown(99, {})).toEqual([])
      const [first] = at.ledger.workflows.results(id, {})
      expect(first).toMatchObject({ jobId: workflow.jobId('b'), runId: 1, attempt: 1 })
      expect(first?.record).toEqual(at.ledger.jobs.findByPrefix(`${id}-b-1`)[0])
    })

    it('are those of attempts that left something running, where these are asked for', () => {
      const workflow = at.put(['a', 'b', 'c'])
      const left = { pid: 7, command: 'container db of image' }
      const { outcome } = someEnd()
      const end = { ...someEnd(), outcome: { ...outcome, stragglers: [left] } }
      at.ledger.jobs.finish(workflow.begin('a', 1, 1), end)
      workflow.end(workflow.begin('a', 1, 2), 'failed')
      workflow.end(workflow.begin('b', 1, 1))
      workflow.begin('c', 1, 1)
      expect(shown(workflow.id, { leftSomething: true })).toEqual([])
      expect(shown(workflow.id, { leftSomething: true, allRuns: true })).toEqual(['a 1.1 success'])
    })

    it('are counted where another attempt of the same job came after', () => {
      const workflow = at.put(['b', 'a'])
      workflow.end(workflow.begin('a', 1, 1), 'failed')
      workflow.end(workflow.begin('a', 1, 2), 'timeout')
      workflow.end(workflow.begin('b', 1, 1), 'failed')
      workflow.begin('a', 2, 3)
      const earlier = (query: EarlierQuery) => at.ledger.workflows.countEarlier(workflow.id, query)
      expect(earlier({})).toBe(2)
      expect(earlier({ status: ['failed'] })).toBe(1)
      expect(earlier({ status: ['running'] })).toBe(0)
      expect(earlier({ jobId: workflow.jobId('b') })).toBe(0)
      expect(at.ledger.workflows.countEarlier(99, {})).toBe(0)
    })

    it('tell the same where only requests and their use are asked for', () => {
      let made = 0
      fc.assert(
        fc.property(anyStart, anyEnd, (anyOne, end) => {
          const workflow = at.put(['a'])
          const jobId = workflow.jobId('a')
          const start = { ...anyOne, taskId: `slim-${made++}` }
          const place = { jobId, workflowId: workflow.id, runId: 3, attempt: 1 }
          at.ledger.jobs.finish(at.ledger.workflows.beginAttempt(place, start), end)
          const [{ record } = { record: null }] = at.ledger.workflows.results(workflow.id, {})
          expect(at.ledger.workflows.utilizationRows(workflow.id, {})).toEqual([
            {
              jobId,
              jobName: record?.name,
              runId: 3,
              attempt: 1,
              status: record?.status,
              exitCode: record?.exitCode,
              signal: record?.signal,
              reason: record?.reason,
              machineCores: record?.machine.cores,
              requirements: record?.requirements,
              durationSeconds: record?.durationSeconds,
              cpuSeconds: end.usage.cpuTotalSeconds.value,
              cpuPercentPeak: end.usage.cpuPercentPeak.value,
              cpuPercentP95: end.usage.cpuPercentP95.value,
              memoryPeakBytes: end.usage.memoryPeakBytes.value,
              largestProcessPeakBytes: end.usage.largestProcessPeakBytes.value,
              swapPeakBytes: end.usage.swapPeakBytes.value,
              processesKilledForMemory: end.usage.processesKilledForMemory.value,
              cgroupMemoryPeakBytes: certainValue(end.usage.cgroupMemoryPeakBytes),
              memoryLimitMetBytes: memoryLimitMetIn(end.usage),
              cpuPressureSeconds: end.usage.cpuPressureSeconds.value,
              machineCpuPressureSeconds: end.usage.machineCpuPressureSeconds.value,
              machineCpuPercentMean: end.usage.machineCpuPercentMean.value,
              involuntarySwitches: end.usage.involuntarySwitches.value,
              gpuCardsUsed: usedCards(end.usage),
              gpuWhyNot: gpuReason(end.usage),
              lowerBounds: bounded({
                cpuSeconds: end.usage.cpuTotalSeconds,
                cpuPercentPeak: end.usage.cpuPercentPeak,
                cpuPercentP95: end.usage.cpuPercentP95,
                memoryPeakBytes: end.usage.memoryPeakBytes,
                cpuPressureSeconds: end.usage.cpuPressureSeconds,
              }),
              unmeasured: whys({
                cpuSeconds: end.usage.cpuTotalSeconds,
                cpuPercentPeak: end.usage.cpuPercentPeak,
                cpuPercentP95: end.usage.cpuPercentP95,
                memoryPeakBytes: end.usage.memoryPeakBytes,
              }),
            },
          ])
        }),
        { numRuns: 100 },
      )
    })

    it('of one that still runs say so', () => {
      const workflow = at.put(['a', 'b'])
      workflow.begin('a', 1, 1)
      const why = 'the job has not ended yet'
      expect(at.ledger.workflows.utilizationRows(workflow.id, { runId: 1 })).toMatchObject([
        {
          status: 'running',
          durationSeconds: null,
          cpuPercentPeak: null,
          unmeasured: {
            cpuSeconds: why,
            cpuPercentPeak: why,
            cpuPercentP95: why,
            memoryPeakBytes: why,
          },
        },
      ])
      expect(at.ledger.workflows.utilizationRows(workflow.id, { runId: 2 })).toEqual([])
    })
  })
}

const whys = (figures: Readonly<Record<string, Measured>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([key, figure]) =>
      figure.value === null ? [[key, figure.why] as const] : [],
    ),
  )

const bounded = (figures: Readonly<Record<string, Measured>>): string[] =>
  Object.entries(figures).flatMap(([key, figure]) => (isLowerBound(figure) ? [key] : []))
