import { gpuReason, usedCards } from '../../src/model/gpu-usage.ts'
import fc from 'fast-check'
import { StoreError } from '../../src/store/errors.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unsuccessful } from '../../src/model/outcome.ts'
import { noRequirements } from '../../src/model/job.ts'
import { jobStates } from '../../src/model/job-state.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import type { ResultQuery } from '../../src/store/ledger/workflow-store.ts'
import { isLowerBound, type Measured } from '../../src/model/measured.ts'
import { anyEnd, anyStart } from './any-attempt.ts'
import { anyWorkflow } from './any-workflow.ts'
import { someEnd, someSamples, someStart } from './attempts.ts'
import { someJob, someRun, someWorkflow, WorkflowInLedger } from './workflows.ts'

/** A new, empty ledger for one test. */
export interface LedgerUnderTest {
  readonly ledger: Ledger
  /** Another one on the same data; the first stays open. The test closes it. */
  reopen(): Ledger
  /** Closes `ledger` and takes the data away. */
  dispose(): Promise<void>
}

const anyState = fc.constantFrom(...jobStates)

/** What every engine that keeps workflows must do. */
export function workflowStoreContract(name: string, open: () => Promise<LedgerUnderTest>): void {
  describe(`${name} as a store of workflows`, () => {
    let opened: LedgerUnderTest
    let ledger: Ledger
    beforeEach(async () => {
      opened = await open()
      ledger = opened.ledger
    })
    afterEach(() => opened.dispose())

    const put = (...jobs: Parameters<typeof someWorkflow>) =>
      new WorkflowInLedger(ledger, someWorkflow(...jobs))

    describe('a workflow', () => {
      it('comes back as it was, whatever is in it', () => {
        fc.assert(
          fc.property(anyWorkflow, (created) => {
            const id = ledger.workflows.createWorkflow(created)
            const found = ledger.workflows.findWorkflow(id)
            expect(found?.workflow).toEqual(created.workflow)
            expect(found).toMatchObject({
              workflowId: id,
              name: created.workflow.name,
              user: created.user,
              createdAt: created.createdAt,
              specPath: created.specPath,
              specText: created.specText,
              jobCount: created.workflow.jobs.length,
              latestRunId: null,
              leasedBy: null,
            })
            expect(found?.jobs.map(({ job }) => job)).toEqual(created.workflow.jobs)
          }),
          { numRuns: 60 },
        )
      })

      it('is counted from 1 and never by a number that was used before', () => {
        expect(ledger.workflows.createWorkflow(someWorkflow(['a']))).toBe(1)
        expect(ledger.workflows.createWorkflow(someWorkflow([]))).toBe(2)
        ledger.workflows.deleteWorkflow(2)
        expect(ledger.workflows.createWorkflow(someWorkflow(['a']))).toBe(3)
      })

      it('is listed, newest first, with how its jobs stand', () => {
        const first = put(['a', 'b', 'c'])
        put(['a'])
        ledger.workflows.setStates([{ jobId: first.jobId('b'), state: 'failed' }])
        const listed = ledger.workflows.listWorkflows()
        expect(listed.map(({ workflowId, jobCount }) => [workflowId, jobCount])).toEqual([
          [2, 1],
          [1, 3],
        ])
        expect(listed[1]?.states).toMatchObject({ waiting: 2, failed: 1, success: 0, running: 0 })
        expect(ledger.workflows.findWorkflowRow(1)).toEqual(listed[1])
        expect(ledger.workflows.findWorkflowRow(9)).toBeUndefined()
        expect(ledger.workflows.findWorkflow(9)).toBeUndefined()
      })

      it('shares between its jobs the long lists that they shared', () => {
        const all = Array.from({ length: 1000 }, (_, index) => `first ${index}`)
        const copy = [...all]
        const behind = [all, all, copy].map((dependsOn, index) =>
          someJob(`second ${index}`, { dependsOn }),
        )
        const { jobs } = put([...all, ...behind])
        const [one, two, three] = jobs.slice(-3).map(({ job }) => job.dependsOn)
        expect(one).toEqual(all)
        expect(two).toBe(one)
        expect(three).toBe(one)
      })

      it('is kept whole or not at all', () => {
        const broken = { ...someJob('b'), command: undefined }
        const created = someWorkflow(['a', broken as never])
        expect(() => ledger.workflows.createWorkflow(created)).toThrow(Error)
        expect(ledger.workflows.listWorkflows()).toEqual([])
        expect(ledger.workflows.findJobs({ name: 'a' })).toEqual([])
      })
    })

    describe('a mended workflow', () => {
      it('is what is found from then on, whatever was there before', () => {
        fc.assert(
          fc.property(anyWorkflow, anyWorkflow, fc.func(anyState), (old, created, stateOf) => {
            const id = ledger.workflows.createWorkflow(old)
            const before = ledger.workflows.findWorkflow(id)?.jobs ?? []
            const { workflow, specPath, specText } = created
            const known = new Map(before.map((stored) => [stored.job.name, stored.jobId]))
            const states = workflow.jobs.map((job) =>
              known.has(job.name) ? stateOf(job.name) : ('waiting' as const),
            )
            ledger.workflows.mendWorkflow(id, { workflow, specPath, specText, states })
            const found = ledger.workflows.findWorkflow(id)
            expect(found?.workflow).toEqual(workflow)
            expect(found).toMatchObject({ name: workflow.name, jobCount: workflow.jobs.length })
            expect(ledger.workflows.specOf(id)).toEqual({ specPath, specText })
            expect(found?.jobs.map(({ job, state }) => [job.name, state])).toEqual(
              workflow.jobs.map((job, position) => [job.name, states[position]]),
            )
            for (const { job, jobId } of found?.jobs ?? [])
              expect(jobId).toBe(known.get(job.name) ?? jobId)
            expect(new Set(found?.jobs.map(({ jobId }) => jobId)).size).toBe(workflow.jobs.length)
          }),
          { numRuns: 40 },
        )
      })

      it('keeps the attempts of all jobs, with what they asked for then', () => {
        const workflow = put(['kept', 'gone', 'failed'])
        const runId = ledger.workflows.beginRun(workflow.id, someRun)
        workflow.end(workflow.begin('kept', runId, 1))
        workflow.end(workflow.begin('gone', runId, 1))
        workflow.end(workflow.begin('failed', runId, 1), 'failed')
        const requirements = { ...noRequirements, cpus: 64 }
        const mended = someWorkflow(['new', someJob('failed'), someJob('kept', { requirements })])
        ledger.workflows.mendWorkflow(workflow.id, {
          ...mended,
          states: ['waiting', 'waiting', 'success'],
        })
        expect(workflow.states()).toEqual({ new: 'waiting', failed: 'waiting', kept: 'success' })
        const told = (query: ResultQuery) =>
          Object.fromEntries(
            ledger.workflows
              .results(workflow.id, query)
              .map(({ record }) => [record.name, record.requirements.cpus]),
          )
        expect(told({ allRuns: true })).toEqual({ failed: 2, gone: 2, kept: 2 })
        expect(told({})).toEqual({ failed: 2, kept: 2 })
        expect(ledger.workflows.findWorkflowRow(workflow.id)?.states).toMatchObject({
          waiting: 2,
          success: 1,
        })
        expect(ledger.workflows.findJobs({ name: 'gone' })).toEqual([])
        expect(ledger.workflows.resetJobs(workflow.id, jobStates)).toBe(1)
        expect(ledger.workflows.deleteWorkflow(workflow.id)).toBe(true)
        expect(ledger.jobs.find({})).toEqual([])
      })

      it('tells the attempts of jobs that are gone job by job', () => {
        const workflow = put(['gone', 'gone_too', 'kept'])
        for (const attempt of [1, 2]) {
          const runId = ledger.workflows.beginRun(workflow.id, someRun)
          for (const job of ['gone', 'gone_too', 'kept'])
            workflow.end(workflow.begin(job, runId, attempt))
        }
        const mended = someWorkflow([someJob('kept')])
        ledger.workflows.mendWorkflow(workflow.id, { ...mended, states: ['success'] })
        const told = ledger.workflows
          .results(workflow.id, { allRuns: true })
          .map(({ record, attempt }) => `${record.name} ${attempt}`)
        const [gone, kept] = [
          ['gone 1', 'gone 2', 'gone_too 1', 'gone_too 2'],
          ['kept 1', 'kept 2'],
        ]
        expect(told).toEqual([...gone, ...kept])
      })
    })

    describe('jobs', () => {
      it('are found by number and name, those of the newest workflow first', () => {
        const [first, second] = [put(['a', 'b']), put(['b'])]
        const places = ledger.workflows.findJobs({ name: 'b' })
        expect(places.map(({ workflowId }) => workflowId)).toEqual([second.id, first.id])
        expect(ledger.workflows.findJobs({ name: 'b', workflowId: first.id })).toEqual([
          {
            workflowId: first.id,
            jobId: first.jobId('b'),
            name: 'b',
            state: 'waiting',
            attempts: 0,
          },
        ])
        expect(ledger.workflows.findJobs({ jobId: first.jobId('a') })).toMatchObject([
          { name: 'a' },
        ])
        ledger.jobs.begin(someStart('single', { job: { name: 'b' } }))
        expect(ledger.workflows.findJobs({ name: 'b' })).toHaveLength(2)
      })

      it('are put back to waiting, all or those that are no success', () => {
        const workflow = put(['a', 'b', 'c', 'd'])
        const other = put(['a'])
        const states = ['success', 'failed', 'cancelled'] as const
        const change = () =>
          ledger.workflows.setStates([
            ...states.map((state, index) => ({ jobId: workflow.jobs[index]?.jobId ?? 0, state })),
            { jobId: other.jobId('a'), state: 'failed' },
          ])
        change()
        expect(
          ledger.workflows.resetJobs(workflow.id, ['failed', 'cancelled', 'interrupted']),
        ).toBe(2)
        expect(Object.values(workflow.states())).toEqual(['success', ...Array(3).fill('waiting')])
        change()
        expect(ledger.workflows.resetJobs(workflow.id, jobStates)).toBe(3)
        expect(Object.values(workflow.states())).toEqual(Array(4).fill('waiting'))
        expect(other.states()).toEqual({ a: 'failed' })
      })
    })

    describe('the lease', () => {
      const owner = { host: 'node01', bootId: 'b0', pid: 1, startTicks: 10 }
      const another = { ...owner, pid: 2 }

      it('is held by one at a time, however many ask', () => {
        const { id } = put(['a'])
        const other = opened.reopen()
        expect(ledger.workflows.lease(id, owner)).toBeNull()
        expect(other.workflows.lease(id, another)).toEqual(owner)
        expect(other.workflows.findWorkflowRow(id)?.leasedBy).toEqual(owner)
        expect(ledger.workflows.lease(id, owner)).toBeNull()
        ledger.workflows.release(id, owner)
        expect(other.workflows.lease(id, another)).toBeNull()
        expect(ledger.workflows.lease(id, owner)).toEqual(another)
        other.close()
      })

      it('passes from a dead one to one of those who saw it dead', () => {
        const { id } = put(['a'])
        const other = opened.reopen()
        const dead = { ...owner, pid: 9 }
        ledger.workflows.lease(id, dead)
        expect(ledger.workflows.lease(id, owner, dead)).toBeNull()
        expect(other.workflows.lease(id, another, dead)).toEqual(owner)
        other.close()
      })

      it('is not given up for somebody else, nor by a namesake', () => {
        const { id } = put(['a'])
        ledger.workflows.lease(id, owner)
        ledger.workflows.release(id, another)
        ledger.workflows.release(id, { ...owner, startTicks: 11 })
        expect(ledger.workflows.findWorkflowRow(id)?.leasedBy).toEqual(owner)
      })

      it('is known to be lost by who had it', () => {
        const { id } = put(['a'])
        const sign = { name: 'abc', isLocked: true }
        const first = { ...owner, pidNamespace: 'pid:[1]', sign }
        const second = { ...first, sign: { ...sign, name: 'def' } }
        expect(ledger.workflows.holds(id, first)).toBe(false)
        ledger.workflows.lease(id, first)
        expect(ledger.workflows.findWorkflowRow(id)?.leasedBy).toEqual(first)
        expect(ledger.workflows.holds(id, first)).toBe(true)
        expect(ledger.workflows.lease(id, second)).toEqual(first)
        expect(ledger.workflows.lease(id, second, first)).toBeNull()
        expect(ledger.workflows.holds(id, first)).toBe(false)
        ledger.workflows.release(id, first)
        expect(ledger.workflows.holds(id, second)).toBe(true)
        ledger.workflows.release(id, second)
        expect(ledger.workflows.holds(id, second)).toBe(false)
        expect(ledger.workflows.holds(7, first)).toBe(false)
      })

      it('is refused on a workflow that is not there', () => {
        expect(() => ledger.workflows.lease(7, owner)).toThrow('there is no workflow 7')
      })
    })

    describe('runs', () => {
      it('are counted from 1 in each workflow', () => {
        const [first, second] = [put(['a']), put(['a'])]
        expect(ledger.workflows.beginRun(first.id, someRun)).toBe(1)
        expect(ledger.workflows.beginRun(first.id, { ...someRun, startedAt: 5.25 })).toBe(2)
        expect(ledger.workflows.beginRun(second.id, someRun)).toBe(1)
        ledger.workflows.endRun(first.id, 1, 77.5)
        expect(ledger.workflows.runs(first.id)).toEqual([
          { ...someRun, runId: 1, endedAt: 77.5 },
          { ...someRun, runId: 2, startedAt: 5.25, endedAt: null },
        ])
        expect(ledger.workflows.findWorkflowRow(first.id)?.latestRunId).toBe(2)
        expect(() => ledger.workflows.beginRun(9, someRun)).toThrow(Error)
      })
    })

    describe('attempts', () => {
      it('are records like any other', () => {
        const workflow = put(['a'])
        const runId = ledger.workflows.beginRun(workflow.id, someRun)
        workflow.end(workflow.begin('a', runId, 1), 'failed')
        const start = someStart('again', { job: { name: 'a', command: ['sh', '-c', 'echo a'] } })
        const jobId = workflow.jobId('a')
        const ref = ledger.workflows.beginAttempt(
          { jobId, workflowId: workflow.id, runId, attempt: 2 },
          start,
        )
        expect(ref).toMatchObject({ taskId: 'again', jobId })
        ledger.jobs.writer(ref).add(someSamples(2), 2)
        ledger.jobs.finish(ref, someEnd())
        expect(ledger.jobs.findByPrefix('again')).toMatchObject([
          { ...start.job, jobId, attempt: 2, status: 'success', startedAt: start.startedAt },
        ])
        expect(ledger.jobs.series('again').read().rows).toHaveLength(2)
        expect(ledger.jobs.find({})).toHaveLength(2)
      })

      it('make the job running, then what became of them', () => {
        const workflow = put(['a', 'b'])
        const ref = workflow.begin('a', 1, 1)
        expect(workflow.states()).toEqual({ a: 'running', b: 'waiting' })
        workflow.end(ref, 'timeout')
        expect(workflow.states()).toEqual({ a: 'timeout', b: 'waiting' })
        expect(ledger.workflows.findJobs({ name: 'a' })).toMatchObject([{ attempts: 1 }])
        ledger.jobs.finish(ledger.jobs.begin(someStart('single')), someEnd())
        expect(workflow.states()).toEqual({ a: 'timeout', b: 'waiting' })
      })

      it('tell whether the job has succeeded', () => {
        const workflow = put(['a'])
        const runId = ledger.workflows.beginRun(workflow.id, someRun)
        const ref = workflow.begin('a', runId, 1)
        expect(ledger.workflows.hasSucceeded(ref.jobId)).toBe(false)
        ledger.jobs.interrupt(ref.taskId, 'gone')
        expect(ledger.workflows.hasSucceeded(ref.jobId)).toBe(false)
        workflow.end(ref)
        expect(ledger.jobs.interrupt(ref.taskId, 'gone')).toBe(false)
        expect(ledger.workflows.hasSucceeded(ref.jobId)).toBe(true)
      })

      it('of a dead runner make the job interrupted', () => {
        const workflow = put(['a'])
        const ref = workflow.begin('a', 1, 1)
        expect(ledger.jobs.running()).toHaveLength(1)
        expect(ledger.jobs.interrupt(ref.taskId, 'its runner died')).toBe(true)
        expect(workflow.states()).toEqual({ a: 'interrupted' })
      })

      it('that end late do not hide the next one', () => {
        const workflow = put(['a'])
        const late = workflow.begin('a', 1, 1)
        ledger.jobs.interrupt(late.taskId, 'thought dead')
        const next = workflow.begin('a', 2, 2)
        workflow.end(late, 'failed')
        expect(workflow.states()).toEqual({ a: 'running' })
        workflow.end(next)
        expect(workflow.states()).toEqual({ a: 'success' })
      })

      it('are never begun twice under one number', () => {
        const workflow = put(['a'])
        const other = opened.reopen()
        workflow.begin('a', 1, 1)
        const again = { jobId: workflow.jobId('a'), workflowId: workflow.id, runId: 1, attempt: 1 }
        expect(() => other.workflows.beginAttempt(again, someStart('twin'))).toThrow(Error)
        other.close()
        expect(ledger.jobs.find({})).toHaveLength(1)
        const gone = { ...again, jobId: 999 }
        expect(() => ledger.workflows.beginAttempt(gone, someStart('x'))).toThrow(/999/)
      })

      it('are not pruned one by one: a workflow goes whole', () => {
        const workflow = put(['a'])
        workflow.end(workflow.begin('a', 1, 1))
        ledger.jobs.finish(ledger.jobs.begin(someStart('single')), someEnd())
        expect(ledger.jobs.prunable(1e12)).toMatchObject({ attempts: 1, samples: 0 })
        expect(ledger.jobs.prune(1e12)).toEqual({ attempts: 1, samples: 0 })
        expect(workflow.states()).toEqual({ a: 'success' })
        expect(ledger.workflows.results(workflow.id, { allRuns: true })).toHaveLength(1)
      })
    })

    describe('results', () => {
      const shown = (workflowId: number, query: ResultQuery) =>
        ledger.workflows
          .results(workflowId, query)
          .map(
            ({ runId, attempt, record }) => `${record.name} ${runId}.${attempt} ${record.status}`,
          )

      it('are the latest of each job, those of a run, or all', () => {
        const workflow = put(['b', 'a', 'c'])
        const other = put(['a'])
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
        const [first] = ledger.workflows.results(id, {})
        expect(first).toMatchObject({ jobId: workflow.jobId('b'), runId: 1, attempt: 1 })
        expect(first?.record).toEqual(ledger.jobs.findByPrefix(`${id}-b-1`)[0])
      })

      it('tell the same where only requests and their use are asked for', () => {
        let made = 0
        fc.assert(
          fc.property(anyStart, anyEnd, (anyOne, end) => {
            const workflow = put(['a'])
            const jobId = workflow.jobId('a')
            const start = { ...anyOne, taskId: `slim-${made++}` }
            const place = { jobId, workflowId: workflow.id, runId: 3, attempt: 1 }
            ledger.jobs.finish(ledger.workflows.beginAttempt(place, start), end)
            const [{ record } = { record: null }] = ledger.workflows.results(workflow.id, {})
            expect(ledger.workflows.utilizationRows(workflow.id, {})).toEqual([
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
                cgroupMemoryPeakBytes: end.usage.cgroupMemoryPeakBytes.value,
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
        const workflow = put(['a', 'b'])
        workflow.begin('a', 1, 1)
        const why = 'the job has not ended yet'
        expect(ledger.workflows.utilizationRows(workflow.id, { runId: 1 })).toMatchObject([
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
        expect(ledger.workflows.utilizationRows(workflow.id, { runId: 2 })).toEqual([])
      })
    })

    describe('inputs', () => {
      it('are kept by job, the latest instead of those before', () => {
        const workflow = put(['a', 'b'])
        const mark = { path: '/in', sizeBytes: 7, modifiedSeconds: 1.123456789, hash: 'ff' }
        const [a, b] = [workflow.jobId('a'), workflow.jobId('b')]
        ledger.workflows.keepInputs(a, [{ ...mark, path: '/old' }, mark])
        ledger.workflows.keepInputs(a, [mark, { ...mark, path: '/second', hash: null }])
        ledger.workflows.keepInputs(b, [mark])
        ledger.workflows.keepInputs(b, [])
        expect(ledger.workflows.inputs(workflow.id)).toEqual(
          new Map([[a, [mark, { ...mark, path: '/second', hash: null }]]]),
        )
        expect(ledger.workflows.inputs(99)).toEqual(new Map())
      })
    })

    describe('deleting', () => {
      it('takes all that belongs to the workflow and nothing else', () => {
        const fill = (workflow: WorkflowInLedger) => {
          const runId = ledger.workflows.beginRun(workflow.id, someRun)
          const ref = workflow.begin('a', runId, 1)
          const writer = ledger.jobs.writer(ref)
          writer.add(someSamples(3), 3)
          const columns = ['timestamp', 'elapsed_seconds']
          writer.addDevice({ kind: 'gpu', id: '0', columns, rows: new Float64Array(2), count: 1 })
          workflow.end(ref)
          const mark = { path: '/in', sizeBytes: 7, modifiedSeconds: 1, hash: null }
          ledger.workflows.keepInputs(workflow.jobId('a'), [mark])
          return ref.taskId
        }
        const long = Array.from({ length: 20 }, (_, index) => `file ${index}`)
        const jobs = [someJob('a', { inputFiles: long }), someJob('b')]
        const [doomed, kept] = [put(jobs), put(jobs)]
        const [gone, stays] = [fill(doomed), fill(kept)]
        ledger.jobs.begin(someStart('single'))
        const before = ledger.workflows.findWorkflow(kept.id)
        expect(ledger.workflows.deleteWorkflow(doomed.id)).toBe(true)
        expect(ledger.workflows.deleteWorkflow(doomed.id)).toBe(false)
        expect(ledger.workflows.findWorkflow(doomed.id)).toBeUndefined()
        expect(ledger.jobs.findByPrefix(gone)).toEqual([])
        expect(ledger.jobs.series(gone).read().rows).toEqual([])
        expect(ledger.jobs.series(gone).devices()).toEqual([])
        expect(ledger.jobs.series(stays).devices()).toHaveLength(1)
        expect(ledger.workflows.runs(doomed.id)).toEqual([])
        expect(ledger.workflows.inputs(doomed.id)).toEqual(new Map())
        expect(ledger.workflows.findWorkflow(kept.id)).toEqual(before)
        expect(ledger.jobs.series(stays).read().rows).toHaveLength(3)
        expect(ledger.jobs.find({})).toHaveLength(2)
      })
    })

    describe('idle workflows', () => {
      const idle = (before: number) =>
        ledger.workflows.idleWorkflows(before).map(({ workflowId }) => workflowId)

      it('are those of which nothing has happened since', () => {
        // Created at 1.7e9; runs begin 100 s later, attempts 101 s later and end 12.5 s after the creation.
        const [untouched, ran] = [put(['a']), put(['a', 'b'])]
        const runId = ledger.workflows.beginRun(ran.id, someRun)
        const ref = ran.begin('a', runId, 1)
        ledger.jobs.writer(ref).add(someSamples(3), 3)
        expect(idle(1_800_000_000)).toEqual([untouched.id])
        ran.end(ref)
        expect(idle(1_800_000_000)).toEqual([untouched.id, ran.id])
        expect(idle(1_700_000_000)).toEqual([])
        expect(idle(1_700_000_101)).toEqual([untouched.id])
        expect(idle(1_700_000_102)).toEqual([untouched.id, ran.id])
        ledger.workflows.endRun(ran.id, runId, 1_700_009_000)
        expect(idle(1_700_000_102)).toEqual([untouched.id])
        const [, found] = ledger.workflows.idleWorkflows(1_800_000_000)
        expect(found).toMatchObject({
          workflowId: ran.id,
          name: 'pipeline',
          leasedBy: null,
          lastActiveAt: 1_700_009_000,
          jobs: 2,
          attempts: 1,
          samples: 3,
          outputDirectories: ['/home/ada/out'],
        })
        expect(ledger.workflows.idleWorkflows(1_800_000_000, ran.id)).toEqual([found])
        expect(ledger.workflows.idleWorkflows(1_700_000_000, ran.id)).toEqual([])
      })
    })

    describe('a batch', () => {
      it('is seen by others whole', () => {
        const workflow = put(['a', 'b'])
        const other = opened.reopen()
        ledger.batch(() => {
          workflow.end(workflow.begin('a', 1, 1))
          ledger.batch(() => workflow.begin('b', 1, 1))
          expect(other.jobs.find({})).toEqual([])
        })
        expect(other.jobs.find({})).toHaveLength(2)
        other.close()
      })

      it('leaves nothing behind if it fails', () => {
        const workflow = put(['a', 'b'])
        const theirs = new Error('no more')
        const work = () =>
          ledger.batch(() => {
            workflow.end(workflow.begin('a', 1, 1))
            ledger.batch(() => {
              throw theirs
            })
          })
        // As it was thrown: it is none of the ledger's.
        expect(work).toThrow(expect.toSatisfy((error) => error === theirs))
        expect(ledger.jobs.find({})).toEqual([])
        expect(workflow.states()).toEqual({ a: 'waiting', b: 'waiting' })
        workflow.begin('a', 1, 1)
        expect(workflow.states()).toEqual({ a: 'running', b: 'waiting' })
      })

      it('goes on without a part that failed and was caught', () => {
        const workflow = put(['a', 'b'])
        ledger.batch(() => {
          workflow.begin('a', 1, 1)
          expect(() => workflow.begin('a', 2, 1)).toThrow(Error)
          workflow.begin('b', 1, 1)
        })
        expect(workflow.states()).toEqual({ a: 'running', b: 'running' })
        const results = ledger.workflows.results(workflow.id, { allRuns: true })
        expect(results.map(({ runId }) => runId)).toEqual([1, 1])
      })

      it('as one leaves nothing behind if a part failed, though that was caught', () => {
        const workflow = put(['a', 'b'])
        const work = () =>
          ledger.batchAsOne(() => {
            workflow.begin('a', 1, 1)
            expect(() => workflow.begin('a', 2, 1)).toThrow(Error)
            workflow.begin('b', 1, 1)
          })
        expect(work).toThrow(StoreError)
        expect(workflow.states()).toEqual({ a: 'waiting', b: 'waiting' })
        ledger.batchAsOne(() => workflow.end(workflow.begin('a', 1, 1)))
        expect(workflow.states()).toEqual({ a: 'success', b: 'waiting' })
        ledger.batch(() => {
          expect(() => workflow.begin('a', 1, 1)).toThrow(Error)
          workflow.begin('b', 1, 1)
        })
        expect(workflow.states()).toEqual({ a: 'success', b: 'running' })
      })

      it('can delete a workflow', () => {
        const { id } = put(['a'])
        expect(ledger.batch(() => ledger.workflows.deleteWorkflow(id))).toBe(true)
        expect(ledger.workflows.listWorkflows()).toEqual([])
      })
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
