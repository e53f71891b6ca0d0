import { describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../attempts.ts'
import { someRun } from '../workflows.ts'
import type { FreshLedger } from './fresh-ledger.ts'

/** What the runs of a workflow leave behind. */
export function workflowAttemptsContract(at: FreshLedger): void {
  describe('runs', () => {
    it('are counted from 1 in each workflow', () => {
      const [first, second] = [at.put(['a']), at.put(['a'])]
      expect(at.ledger.workflows.beginRun(first.id, someRun)).toBe(1)
      expect(at.ledger.workflows.beginRun(first.id, { ...someRun, startedAt: 5.25 })).toBe(2)
      expect(at.ledger.workflows.beginRun(second.id, someRun)).toBe(1)
      at.ledger.workflows.endRun(first.id, 1, 77.5)
      expect(at.ledger.workflows.runs(first.id)).toEqual([
        { ...someRun, runId: 1, endedAt: 77.5 },
        { ...someRun, runId: 2, startedAt: 5.25, endedAt: null },
      ])
      expect(at.ledger.workflows.findWorkflowRow(first.id)?.latestRunId).toBe(2)
      expect(() => at.ledger.workflows.beginRun(9, someRun)).toThrow(Error)
    })
  })

  describe('attempts', () => {
    it('are records like any other', () => {
      const workflow = at.put(['a'])
      const runId = at.ledger.workflows.beginRun(workflow.id, someRun)
      workflow.end(workflow.begin('a', runId, 1), 'failed')
      const start = someStart('again', { job: { name: 'a', command: ['sh', '-c', 'echo a'] } })
      const jobId = workflow.jobId('a')
      const ref = at.ledger.workflows.beginAttempt(
        { jobId, workflowId: workflow.id, runId, attempt: 2 },
        start,
      )
      expect(ref).toMatchObject({ taskId: 'again', jobId })
      at.ledger.jobs.writer(ref).add(someSamples(2), 2)
      at.ledger.jobs.finish(ref, someEnd())
      expect(at.ledger.jobs.findByPrefix('again')).toMatchObject([
        { ...start.job, jobId, attempt: 2, status: 'success', startedAt: start.startedAt },
      ])
      expect(at.ledger.jobs.series('again').read().rows).toHaveLength(2)
      expect(at.ledger.jobs.find({})).toHaveLength(2)
    })

    it('make the job running, then what became of them', () => {
      const workflow = at.put(['a', 'b'])
      const ref = workflow.begin('a', 1, 1)
      expect(workflow.states()).toEqual({ a: 'running', b: 'waiting' })
      workflow.end(ref, 'timeout')
      expect(workflow.states()).toEqual({ a: 'timeout', b: 'waiting' })
      expect(at.ledger.workflows.findJobs({ name: 'a' })).toMatchObject([{ attempts: 1 }])
      at.ledger.jobs.finish(at.ledger.jobs.begin(someStart('single')), someEnd())
      expect(workflow.states()).toEqual({ a: 'timeout', b: 'waiting' })
    })

    it('wait where they were handed to until they begin, and again for the next runner', () => {
      const workflow = at.put(['a', 'b'])
      const { jobs, workflows } = at.ledger
      const runId = workflows.beginRun(workflow.id, { ...someRun, executor: 'slurm' })
      const place = { jobId: workflow.jobId('a'), workflowId: workflow.id, runId, attempt: 1 }
      const ref = workflows.beginAttempt(
        place,
        someStart('far', { job: { name: 'a' } }),
        'waits in Slurm',
      )
      workflow.begin('b', runId, 1)
      const told = () => jobs.findByPrefix('far')[0]
      expect(workflow.states()).toEqual({ a: 'waiting', b: 'running' })
      workflows.keepWaiting('far', 'waits in Slurm: Priority')
      expect(told()).toMatchObject({ status: 'waiting', reason: 'waits in Slurm: Priority' })
      const standing = (status: 'waiting' | 'running') => [
        jobs.find({ status }).map(({ jobId }) => jobId),
        workflows.results(workflow.id, { status: [status] }).map(({ jobId }) => jobId),
      ]
      const [a, b] = [[workflow.jobId('a')], [workflow.jobId('b')]]
      expect(standing('waiting')).toEqual([a, a])
      expect(standing('running')).toEqual([b, b])
      const standingOf = new Map(jobs.tally().map(({ status, attempts }) => [status, attempts]))
      expect(standingOf).toEqual(
        new Map([
          ['waiting', 1],
          ['running', 1],
        ]),
      )
      expect(jobs.find({ status: ['waiting', 'running'] })).toHaveLength(2)
      workflows.keepBegun('far', 1_800_000_000)
      expect(told()).toMatchObject({ status: 'running', reason: null, startedAt: 1_800_000_000 })
      expect(workflow.states()).toEqual({ a: 'running', b: 'running' })
      workflows.keepHandle('far', '{}')
      expect(jobs.running()).toMatchObject([
        { taskId: 'far', workflowId: workflow.id, isElsewhere: true },
        { isElsewhere: false },
      ])
      jobs.interrupt('far', 'dead')
      workflows.takeUp('far', { ...someStart('x').owner, pid: 77 }, 'waits in Slurm')
      expect(told()).toMatchObject({ status: 'waiting', endedAt: null, owner: { pid: 77 } })
      expect(workflow.states()).toEqual({ a: 'waiting', b: 'running' })
      workflow.end(ref, 'failed')
      workflows.keepBegun('far', 1_900_000_000)
      workflows.keepWaiting('far', 'late news')
      expect(told()).toMatchObject({ status: 'failed', reason: null })
      expect(workflow.states()).toEqual({ a: 'failed', b: 'running' })
    })

    it('keep how they are found again elsewhere, and where they ran', () => {
      const workflow = at.put(['a', 'b'])
      const runId = at.ledger.workflows.beginRun(workflow.id, { ...someRun, executor: 'slurm' })
      expect(at.ledger.workflows.runs(workflow.id)[0]?.executor).toBe('slurm')
      const [first, second] = [workflow.begin('a', runId, 1), workflow.begin('b', runId, 1)]
      at.ledger.workflows.keepHandle(second.taskId, '{"n":1}')
      at.ledger.workflows.keepHandle(second.taskId, '{"n":2}')
      at.ledger.workflows.keepHandle('no such task', '{}')
      expect(at.ledger.workflows.handles(workflow.id)).toEqual([
        { taskId: second.taskId, handle: '{"n":2}' },
      ])
      const machine = { host: 'c17', cores: 96, memoryBytes: 2 ** 38 }
      at.ledger.jobs.finish(second, { ...someEnd(), machine })
      at.ledger.jobs.finish(first, someEnd())
      expect(at.ledger.jobs.findByPrefix(second.taskId)).toMatchObject([{ machine }])
      expect(at.ledger.jobs.findByPrefix(first.taskId)[0]?.machine.host).not.toBe('c17')
      at.ledger.workflows.deleteWorkflow(workflow.id)
      expect(at.ledger.workflows.handles(workflow.id)).toEqual([])
    })

    it('tell whether the job has succeeded', () => {
      const workflow = at.put(['a'])
      const runId = at.ledger.workflows.beginRun(workflow.id, someRun)
      const ref = workflow.begin('a', runId, 1)
      expect(at.ledger.workflows.hasSucceeded(ref.jobId)).toBe(false)
      at.ledger.jobs.interrupt(ref.taskId, 'gone')
      expect(at.ledger.workflows.hasSucceeded(ref.jobId)).toBe(false)
      workflow.end(ref)
      expect(at.ledger.jobs.interrupt(ref.taskId, 'gone')).toBe(false)
      expect(at.ledger.workflows.hasSucceeded(ref.jobId)).toBe(true)
    })

    it('of a dead runner make the job interrupted', () => {
      const workflow = at.put(['a'])
      const ref = workflow.begin('a', 1, 1)
      expect(at.ledger.jobs.running()).toHaveLength(1)
      expect(at.ledger.jobs.interrupt(ref.taskId, 'its runner died')).toBe(true)
      expect(workflow.states()).toEqual({ a: 'interrupted' })
    })

    it('that end late do not hide the next one', () => {
      const workflow = at.put(['a'])
      const late = workflow.begin('a', 1, 1)
      at.ledger.jobs.interrupt(late.taskId, 'thought dead')
      const next = workflow.begin('a', 2, 2)
      workflow.end(late, 'failed')
      expect(workflow.states()).toEqual({ a: 'running' })
      workflow.end(next)
      expect(workflow.states()).toEqual({ a: 'success' })
    })

    it('are never begun twice under one number', () => {
      const workflow = at.put(['a'])
      const other = at.reopen()
      workflow.begin('a', 1, 1)
      const again = { jobId: workflow.jobId('a'), workflowId: workflow.id, runId: 1, attempt: 1 }
      expect(() => other.workflows.beginAttempt(again, someStart('twin'))).toThrow(Error)
      other.close()
      expect(at.ledger.jobs.find({})).toHaveLength(1)
      const gone = { ...again, jobId: 999 }
      expect(() => at.ledger.workflows.beginAttempt(gone, someStart('x'))).toThrow(/999/)
    })

    it('are not pruned one by one: a workflow goes whole', () => {
      const workflow = at.put(['a'])
      workflow.end(workflow.begin('a', 1, 1))
      at.ledger.jobs.finish(at.ledger.jobs.begin(someStart('single')), someEnd())
      expect(at.ledger.jobs.prunable(1e12)).toMatchObject({ attempts: 1, samples: 0 })
      expect(at.ledger.jobs.prune(1e12)).toEqual({ attempts: 1, samples: 0 })
      expect(workflow.states()).toEqual({ a: 'success' })
      expect(at.ledger.workflows.results(workflow.id, { allRuns: true })).toHaveLength(1)
    })
  })

  describe('inputs', () => {
    it('are kept by job, the latest instead of those before', () => {
      const workflow = at.put(['a', 'b'])
      const mark = { path: '/in', sizeBytes: 7, modifiedSeconds: 1.123456789, hash: 'ff' }
      const [a, b] = [workflow.jobId('a'), workflow.jobId('b')]
      at.ledger.workflows.keepInputs(a, [{ ...mark, path: '/old' }, mark])
      at.ledger.workflows.keepInputs(a, [mark, { ...mark, path: '/second', hash: null }])
      at.ledger.workflows.keepInputs(b, [mark])
      at.ledger.workflows.keepInputs(b, [])
      expect(at.ledger.workflows.inputs(workflow.id)).toEqual(
        new Map([[a, [mark, { ...mark, path: '/second', hash: null }]]]),
      )
      expect(at.ledger.workflows.inputs(99)).toEqual(new Map())
    })
  })
}
