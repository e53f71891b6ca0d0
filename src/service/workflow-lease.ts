import type { Owner } from '../model/machine.ts'
import { LivingOwner } from '../record/living-owner.ts'
import { interruptDead } from '../record/open-ledger.ts'
import { Owners } from '../record/owners.ts'
import { runnerLife } from '../record/runner-life.ts'
import { StoreError } from '../store/errors.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { LifeSign } from '../store/spool/life-sign.ts'
import type { System } from '../system/system.ts'
import { UserError } from './user-error.ts'
import { refuseSecondRunner } from './find-workflow.ts'

export function noWorkflow(workflowId: number): UserError {
  return new UserError(`there is no workflow ${workflowId}. See jobmeter workflows list`)
}

/** The right to run a workflow, which one process has at a time. */
export class WorkflowLease {
  /** The runner that had it and is dead. */
  readonly replaced: Owner | null
  readonly #ledger: Ledger
  readonly #workflowId: number
  readonly #us: LivingOwner

  /** Takes it, also from a runner that is dead for certain; throws where another has it. */
  static take(system: System, ledger: Ledger, workflowId: number): WorkflowLease {
    const workflow = ledger.workflows.findWorkflowRow(workflowId)
    if (workflow === undefined) throw noWorkflow(workflowId)
    const us = new LivingOwner(system, ledger.path)
    const holder = ledger.workflows.lease(workflowId, us.owner)
    if (holder !== null) {
      const life = runnerLife(system, ledger, { ...workflow, leasedBy: holder })
      // Of several who find it dead at once only one finds it in the place of whom they judged.
      if (life !== 'dead' || ledger.workflows.lease(workflowId, us.owner, holder) !== null) {
        us.end()
        refuseSecondRunner({ ...workflow, leasedBy: holder }, life === 'dead' ? 'alive' : life)
      }
    }
    interruptDead(ledger, new Owners(system, ledger.path), workflowId)
    return new WorkflowLease(ledger, workflowId, us, holder)
  }

  private constructor(ledger: Ledger, workflowId: number, us: LivingOwner, replaced: Owner | null) {
    this.replaced = replaced
    this.#ledger = ledger
    this.#workflowId = workflowId
    this.#us = us
  }

  get owner(): Owner {
    return this.#us.owner
  }

  get sign(): LifeSign {
    return this.#us.sign
  }

  /** Where the disk is full it fails, and does no harm: the lease of a process that is gone is taken over. */
  giveBack(): void {
    try {
      this.#ledger.workflows.release(this.#workflowId, this.owner)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
    this.#us.end()
  }
}
