import type { Owner } from '../../model/machine.ts'

/** Who tells whether those live whose records wait in a spool. */
export interface OwnerLives {
  /** Whether an owner is dead for certain. `heardAt`: the last time that is known from what it wrote. */
  isDead(owner: Owner, heardAt: number): boolean
  /** Whether the file of this task is locked, which only its living owner can do. */
  isHeld(task: string): boolean
}
