import { describe, expect, it } from 'vitest'
import { someSamples, someStart } from '../attempts.ts'
import { someJob, someRun, type WorkflowInLedger } from '../workflows.ts'
import type { FreshLedger } from './fresh-ledger.ts'

/** What goes with a workflow, and which may go. */
export function workflowDeletionContract(at: FreshLedger): void {
  describe('deleting', () => {
    it('takes all that belongs to the workflow and nothing else', () => {
      const fill = (workflow: WorkflowInLedger) => {
        const runId = at.ledger.workflows.beginRun(workflow.id, someRun)
        const ref = workflow.begin('a', runId, 1)
        const writer = at.ledger.jobs.writer(ref)
        writer.add(someSamples(3), 3)
        const columns = ['timestamp', 'elapsed_seconds']
        writer.addDevice({ kind: 'gpu', id: '0', columns, rows: new Float64Array(2), count: 1 })
        workflow.end(ref)
        const mark = { path: '/in', sizeBytes: 7, modifiedSeconds: 1, hash: null }
        at.ledger.workflows.keepInputs(workflow.jobId('a'), [mark])
        return ref.taskId
      }
      const long = Array.from({ length: 20 }, (_, index) => `file ${index}`)
      const jobs = [someJob('a', { inputFiles: long }), someJob('b')]
      const [doomed, kept] = [at.put(jobs), at.put(jobs)]
      const [gone, stays] = [fill(doomed), fill(kept)]
      at.ledger.jobs.begin(someStart('single'))
      const before = at.ledger.workflows.findWorkflow(kept.id)
      expect(at.ledger.workflows.deleteWorkflow(doomed.id)).toBe(true)
      expect(at.ledger.workflows.deleteWorkflow(doomed.id)).toBe(false)
      expect(at.ledger.workflows.findWorkflow(doomed.id)).toBeUndefined()
      expect(at.ledger.jobs.findByPrefix(gone)).toEqual([])
      expect(at.ledger.jobs.series(gone).read().rows).toEqual([])
      expect(at.ledger.jobs.series(gone).devices()).toEqual([])
      expect(at.ledger.jobs.series(stays).devices()).toHaveLength(1)
      expect(at.ledger.workflows.runs(doomed.id)).toEqual([])
      expect(at.ledger.workflows.inputs(doomed.id)).toEqual(new Map())
      expect(at.ledger.workflows.findWorkflow(kept.id)).toEqual(before)
      expect(at.ledger.jobs.series(stays).read().rows).toHaveLength(3)
      expect(at.ledger.jobs.find({})).toHaveLength(2)
    })
  })

  describe('idle workflows', () => {
    const idle = (before: number) =>
      at.ledger.workflows.idleWorkflows(before).map(({ workflowId }) => workflowId)

    it('are those of which nothing has happened since', () => {
      // Created at 1.7e9; runs begin 100 s later, attempts 101 s later and end 12.5 s after the creation.
      const [untouched, ran] = [at.put(['a']), at.put(['a', 'b'])]
      const runId = at.ledger.workflows.beginRun(ran.id, someRun)
      const ref = ran.begin('a', runId, 1)
      at.ledger.jobs.writer(ref).add(someSamples(3), 3)
      expect(idle(1_800_000_000)).toEqual([untouched.id])
      ran.end(ref)
      expect(idle(1_800_000_000)).toEqual([untouched.id, ran.id])
      expect(idle(1_700_000_000)).toEqual([])
      expect(idle(1_700_000_101)).toEqual([untouched.id])
      expect(idle(1_700_000_102)).toEqual([untouched.id, ran.id])
      at.ledger.workflows.endRun(ran.id, runId, 1_700_009_000)
      expect(idle(1_700_000_102)).toEqual([untouched.id])
      const [, found] = at.ledger.workflows.idleWorkflows(1_800_000_000)
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
      expect(at.ledger.workflows.idleWorkflows(1_800_000_000, ran.id)).toEqual([found])
      expect(at.ledger.workflows.idleWorkflows(1_700_000_000, ran.id)).toEqual([])
    })
  })
}
