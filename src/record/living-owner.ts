import type { Owner } from '../model/machine.ts'
import { LifeSign } from '../store/spool/life-sign.ts'
import type { System } from '../system/system.ts'
import { beatSeconds, every } from './heartbeat.ts'
import { ourselves } from './owner.ts'

/** This process as the owner of what it has in a ledger, with a sign of life until it is over. */
export class LivingOwner {
  readonly owner: Owner
  readonly sign: LifeSign
  readonly #stopBeating: () => void

  constructor(system: System, ledger: string) {
    const name = system.randomId()
    this.sign = LifeSign.make(ledger, name, system.files.tryLock)
    this.owner = { ...ourselves(system), sign: { name, isLocked: this.sign.isLocked } }
    this.#stopBeating = every(system.clock, beatSeconds, () => {
      try {
        this.sign.beat(system.clock.wallSeconds())
      } catch {
        // The next one may do; a disk that is lost is told where it costs something.
      }
    })
  }

  end(): void {
    this.#stopBeating()
    this.sign.remove()
  }
}
