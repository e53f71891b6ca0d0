import { StoreError } from '../../../src/store/errors.ts'
import { describe, expect, it } from 'vitest'
import type { FreshLedger } from './fresh-ledger.ts'

/** What is written whole or not at all. */
export function ledgerBatchContract(at: FreshLedger): void {
  describe('a batch', () => {
    it('is seen by others whole', () => {
      const workflow = at.put(['a', 'b'])
      const other = at.reopen()
      at.ledger.batch(() => {
        workflow.end(workflow.begin('a', 1, 1))
        at.ledger.batch(() => workflow.begin('b', 1, 1))
        expect(other.jobs.find({})).toEqual([])
      })
      expect(other.jobs.find({})).toHaveLength(2)
      other.close()
    })

    it('leaves nothing behind if it fails', () => {
      const workflow = at.put(['a', 'b'])
      const theirs = new Error('no more')
      const work = () =>
        at.ledger.batch(() => {
          workflow.end(workflow.begin('a', 1, 1))
          at.ledger.batch(() => {
            throw theirs
          })
        })
      // As it was thrown: it is none of the ledger's.
      expect(work).toThrow(expect.toSatisfy((error) => error === theirs))
      expect(at.ledger.jobs.find({})).toEqual([])
      expect(workflow.states()).toEqual({ a: 'waiting', b: 'waiting' })
      workflow.begin('a', 1, 1)
      expect(workflow.states()).toEqual({ a: 'running', b: 'waiting' })
    })

    it('goes on without a part that failed and was caught', () => {
      const workflow = at.put(['a', 'b'])
      at.ledger.batch(() => {
        workflow.begin('a', 1, 1)
        expect(() => workflow.begin('a', 2, 1)).toThrow(Error)
        workflow.begin('b', 1, 1)
      })
      expect(workflow.states()).toEqual({ a: 'running', b: 'running' })
      const results = at.ledger.workflows.results(workflow.id, { allRuns: true })
      expect(results.map(({ runId }) => runId)).toEqual([1, 1])
    })

    it('as one leaves nothing behind if a part failed, though that was caught', () => {
      const workflow = at.put(['a', 'b'])
      const work = () =>
        at.ledger.batchAsOne(() => {
          workflow.begin('a', 1, 1)
          expect(() => workflow.begin('a', 2, 1)).toThrow(Error)
          workflow.begin('b', 1, 1)
        })
      expect(work).toThrow(StoreError)
      expect(workflow.states()).toEqual({ a: 'waiting', b: 'waiting' })
      at.ledger.batchAsOne(() => workflow.end(workflow.begin('a', 1, 1)))
      expect(workflow.states()).toEqual({ a: 'success', b: 'waiting' })
      at.ledger.batch(() => {
        expect(() => workflow.begin('a', 1, 1)).toThrow(Error)
        workflow.begin('b', 1, 1)
      })
      expect(workflow.states()).toEqual({ a: 'success', b: 'running' })
    })

    it('can delete a workflow', () => {
      const { id } = at.put(['a'])
      expect(at.ledger.batch(() => at.ledger.workflows.deleteWorkflow(id))).toBe(true)
      expect(at.ledger.workflows.listWorkflows()).toEqual([])
    })
  })
}
