import { describe, expect, it } from 'vitest'
import type { FreshLedger } from './fresh-ledger.ts'

/** Who may run a workflow. */
export function workflowLeaseContract(at: FreshLedger): void {
  describe('the lease', () => {
    const owner = { host: 'node01', bootId: 'b0', pid: 1, startTicks: 10 }
    const another = { ...owner, pid: 2 }

    it('is held by one at a time, however many ask', () => {
      const { id } = at.put(['a'])
      const other = at.reopen()
      expect(at.ledger.workflows.lease(id, owner)).toBeNull()
      expect(other.workflows.lease(id, another)).toEqual(owner)
      expect(other.workflows.findWorkflowRow(id)?.leasedBy).toEqual(owner)
      expect(at.ledger.workflows.lease(id, owner)).toBeNull()
      at.ledger.workflows.release(id, owner)
      expect(other.workflows.lease(id, another)).toBeNull()
      expect(at.ledger.workflows.lease(id, owner)).toEqual(another)
      other.close()
    })

    it('passes from a dead one to one of those who saw it dead', () => {
      const { id } = at.put(['a'])
      const other = at.reopen()
      const dead = { ...owner, pid: 9 }
      at.ledger.workflows.lease(id, dead)
      expect(at.ledger.workflows.lease(id, owner, dead)).toBeNull()
      expect(other.workflows.lease(id, another, dead)).toEqual(owner)
      other.close()
    })

    it('is not given up for somebody else, nor by a namesake', () => {
      const { id } = at.put(['a'])
      at.ledger.workflows.lease(id, owner)
      at.ledger.workflows.release(id, another)
      at.ledger.workflows.release(id, { ...owner, startTicks: 11 })
      expect(at.ledger.workflows.findWorkflowRow(id)?.leasedBy).toEqual(owner)
    })

    it('is known to be lost by who had it', () => {
      const { id } = at.put(['a'])
      const sign = { name: 'abc', isLocked: true }
      const first = { ...owner, pidNamespace: 'pid:[1]', sign }
      const second = { ...first, sign: { ...sign, name: 'def' } }
      expect(at.ledger.workflows.holds(id, first)).toBe(false)
      at.ledger.workflows.lease(id, first)
      expect(at.ledger.workflows.findWorkflowRow(id)?.leasedBy).toEqual(first)
      expect(at.ledger.workflows.holds(id, first)).toBe(true)
      expect(at.ledger.workflows.lease(id, second)).toEqual(first)
      expect(at.ledger.workflows.lease(id, second, first)).toBeNull()
      expect(at.ledger.workflows.holds(id, first)).toBe(false)
      at.ledger.workflows.release(id, first)
      expect(at.ledger.workflows.holds(id, second)).toBe(true)
      at.ledger.workflows.release(id, second)
      expect(at.ledger.workflows.holds(id, second)).toBe(false)
      expect(at.ledger.workflows.holds(7, first)).toBe(false)
    })

    it('is known to be lost at once to who has just asked, whoever changed it', () => {
      const { id } = at.put(['a'])
      const other = at.reopen()
      const { workflows } = at.ledger
      expect(workflows.lease(id, owner)).toBeNull()
      expect([workflows.holds(id, owner), workflows.holds(id, owner)]).toEqual([true, true])
      expect(other.workflows.lease(id, another, owner)).toBeNull()
      expect(at.ledger.batchAsOne(() => workflows.holds(id, owner))).toBe(false)
      expect(other.workflows.holds(id, another)).toBe(true)
      expect(workflows.lease(id, owner, another)).toBeNull()
      expect([other.workflows.holds(id, another), workflows.holds(id, owner)]).toEqual([
        false,
        true,
      ])
      other.close()
      expect(workflows.deleteWorkflow(id)).toBe(true)
      expect(workflows.holds(id, owner)).toBe(false)
    })

    it('is not held any more where taking it was undone', () => {
      const { id } = at.put(['a'])
      const { workflows } = at.ledger
      const undone = new Error('a full disk')
      expect(() =>
        at.ledger.batchAsOne(() => {
          workflows.lease(id, owner)
          expect([workflows.holds(id, owner), workflows.holds(id, owner)]).toEqual([true, true])
          throw undone
        }),
      ).toThrow(undone)
      expect(workflows.holds(id, owner)).toBe(false)
    })

    it('is refused on a workflow that is not there', () => {
      expect(() => at.ledger.workflows.lease(7, owner)).toThrow('there is no workflow 7')
    })
  })
}
