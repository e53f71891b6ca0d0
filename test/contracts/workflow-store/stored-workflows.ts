import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noRequirements } from '../../../src/model/job.ts'
import { jobStates } from '../../../src/model/job-state.ts'
import type { ResultQuery } from '../../../src/store/ledger/workflow-store.ts'
import { anyWorkflow } from '../any-workflow.ts'
import { someStart } from '../attempts.ts'
import { someJob, someRun, someWorkflow } from '../workflows.ts'
import type { FreshLedger } from './fresh-ledger.ts'

const anyState = fc.constantFrom(...jobStates)

/** How workflows and their jobs are kept, found and mended. */
export function storedWorkflowsContract(at: FreshLedger): void {
  describe('a workflow', () => {
    it('comes back as it was, whatever is in it', () => {
      fc.assert(
        fc.property(anyWorkflow, (created) => {
          const id = at.ledger.workflows.createWorkflow(created)
          const found = at.ledger.workflows.findWorkflow(id)
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
      expect(at.ledger.workflows.createWorkflow(someWorkflow(['a']))).toBe(1)
      expect(at.ledger.workflows.createWorkflow(someWorkflow([]))).toBe(2)
      at.ledger.workflows.deleteWorkflow(2)
      expect(at.ledger.workflows.createWorkflow(someWorkflow(['a']))).toBe(3)
    })

    it('is listed, newest first, with how its jobs stand', () => {
      const first = at.put(['a', 'b', 'c'])
      at.put(['a'])
      at.ledger.workflows.setStates([{ jobId: first.jobId('b'), state: 'failed' }])
      const listed = at.ledger.workflows.listWorkflows()
      expect(listed.map(({ workflowId, jobCount }) => [workflowId, jobCount])).toEqual([
        [2, 1],
        [1, 3],
      ])
      expect(listed[1]?.states).toMatchObject({ waiting: 2, failed: 1, success: 0, running: 0 })
      expect(at.ledger.workflows.findWorkflowRow(1)).toEqual(listed[1])
      expect(at.ledger.workflows.findWorkflowRow(9)).toBeUndefined()
      expect(at.ledger.workflows.findWorkflow(9)).toBeUndefined()
    })

    it('shares between its jobs the long lists that they shared', () => {
      const all = Array.from({ length: 1000 }, (_, index) => `first ${index}`)
      const copy = [...all]
      const behind = [all, all, copy].map((dependsOn, index) =>
        someJob(`second ${index}`, { dependsOn }),
      )
      const { jobs } = at.put([...all, ...behind])
      const [one, two, three] = jobs.slice(-3).map(({ job }) => job.dependsOn)
      expect(one).toEqual(all)
      expect(two).toBe(one)
      expect(three).toBe(one)
    })

    it('is kept whole or not at all', () => {
      const broken = { ...someJob('b'), command: undefined }
      const created = someWorkflow(['a', broken as never])
      expect(() => at.ledger.workflows.createWorkflow(created)).toThrow(Error)
      expect(at.ledger.workflows.listWorkflows()).toEqual([])
      expect(at.ledger.workflows.findJobs({ name: 'a' })).toEqual([])
    })
  })

  describe('a mended workflow', () => {
    it('is what is found from then on, whatever was there before', () => {
      fc.assert(
        fc.property(anyWorkflow, anyWorkflow, fc.func(anyState), (old, created, stateOf) => {
          const id = at.ledger.workflows.createWorkflow(old)
          const before = at.ledger.workflows.findWorkflow(id)?.jobs ?? []
          const { workflow, specPath, specText } = created
          const known = new Map(before.map((stored) => [stored.job.name, stored.jobId]))
          const states = workflow.jobs.map((job) =>
            known.has(job.name) ? stateOf(job.name) : ('waiting' as const),
          )
          at.ledger.workflows.mendWorkflow(id, { workflow, specPath, specText, states })
          const found = at.ledger.workflows.findWorkflow(id)
          expect(found?.workflow).toEqual(workflow)
          expect(found).toMatchObject({ name: workflow.name, jobCount: workflow.jobs.length })
          expect(at.ledger.workflows.specOf(id)).toEqual({ specPath, specText })
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
      const workflow = at.put(['kept', 'gone', 'failed'])
      const runId = at.ledger.workflows.beginRun(workflow.id, someRun)
      workflow.end(workflow.begin('kept', runId, 1))
      workflow.end(workflow.begin('gone', runId, 1))
      workflow.end(workflow.begin('failed', runId, 1), 'failed')
      const requirements = { ...noRequirements, cpus: 64 }
      const mended = someWorkflow(['new', someJob('failed'), someJob('kept', { requirements })])
      at.ledger.workflows.mendWorkflow(workflow.id, {
        ...mended,
        states: ['waiting', 'waiting', 'success'],
      })
      expect(workflow.states()).toEqual({ new: 'waiting', failed: 'waiting', kept: 'success' })
      const told = (query: ResultQuery) =>
        Object.fromEntries(
          at.ledger.workflows
            .results(workflow.id, query)
            .map(({ record }) => [record.name, record.requirements.cpus]),
        )
      expect(told({ allRuns: true })).toEqual({ failed: 2, gone: 2, kept: 2 })
      expect(told({})).toEqual({ failed: 2, kept: 2 })
      expect(at.ledger.workflows.findWorkflowRow(workflow.id)?.states).toMatchObject({
        waiting: 2,
        success: 1,
      })
      expect(at.ledger.workflows.findJobs({ name: 'gone' })).toEqual([])
      expect(at.ledger.workflows.resetJobs(workflow.id, jobStates)).toBe(1)
      expect(at.ledger.workflows.deleteWorkflow(workflow.id)).toBe(true)
      expect(at.ledger.jobs.find({})).toEqual([])
    })

    it('tells the attempts of jobs that are gone job by job', () => {
      const workflow = at.put(['gone', 'gone_too', 'kept'])
      for (const attempt of [1, 2]) {
        const runId = at.ledger.workflows.beginRun(workflow.id, someRun)
        for (const job of ['gone', 'gone_too', 'kept'])
          workflow.end(workflow.begin(job, runId, attempt))
      }
      const mended = someWorkflow([someJob('kept')])
      at.ledger.workflows.mendWorkflow(workflow.id, { ...mended, states: ['success'] })
      const told = at.ledger.workflows
        .results(workflow.id, { allRuns: true })
        .map(({ record, attempt }) => `${record.name} ${attempt}`)
      const [gone, kept] = [
        ['gone 1', 'gone 2', 'gone_too 1', 'gone_too 2'],
        ['kept 1', 'kept 2'],
      ]
      expect(told).toEqual([...gone, ...kept])
      expect(at.ledger.workflows.countEarlier(workflow.id, {})).toBe(1)
    })
  })

  describe('jobs', () => {
    it('are found by number and name, those of the newest workflow first', () => {
      const [first, second] = [at.put(['a', 'b']), at.put(['b'])]
      const places = at.ledger.workflows.findJobs({ name: 'b' })
      expect(places.map(({ workflowId }) => workflowId)).toEqual([second.id, first.id])
      expect(at.ledger.workflows.findJobs({ name: 'b', workflowId: first.id })).toEqual([
        {
          workflowId: first.id,
          jobId: first.jobId('b'),
          name: 'b',
          state: 'waiting',
          attempts: 0,
        },
      ])
      expect(at.ledger.workflows.findJobs({ jobId: first.jobId('a') })).toMatchObject([
        { name: 'a' },
      ])
      at.ledger.jobs.begin(someStart('single', { job: { name: 'b' } }))
      expect(at.ledger.workflows.findJobs({ name: 'b' })).toHaveLength(2)
    })

    it('are put back to waiting, all or those that are no success', () => {
      const workflow = at.put(['a', 'b', 'c', 'd'])
      const other = at.put(['a'])
      const states = ['success', 'failed', 'cancelled'] as const
      const change = () =>
        at.ledger.workflows.setStates([
          ...states.map((state, index) => ({ jobId: workflow.jobs[index]?.jobId ?? 0, state })),
          { jobId: other.jobId('a'), state: 'failed' },
        ])
      change()
      expect(
        at.ledger.workflows.resetJobs(workflow.id, ['failed', 'cancelled', 'interrupted']),
      ).toBe(2)
      expect(Object.values(workflow.states())).toEqual(['success', ...Array(3).fill('waiting')])
      change()
      expect(at.ledger.workflows.resetJobs(workflow.id, jobStates)).toBe(3)
      expect(Object.values(workflow.states())).toEqual(Array(4).fill('waiting'))
      expect(other.states()).toEqual({ a: 'failed' })
    })
  })
}
