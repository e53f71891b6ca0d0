import type { Owner } from '../model/machine.ts'
import { lookAtSign } from '../store/spool/life-sign.ts'
import type { OwnerLives } from '../store/spool/owner-lives.ts'
import { isOnNetwork } from '../store/network-disk.ts'
import type { System } from '../system/system.ts'
import { beatSeconds } from './heartbeat.ts'
import { lifeByPid, ourselves, type Life } from './owner.ts'

/** So long after its last sign an owner is dead whose lock the kernel has dropped. */
const silentWithoutLockSeconds = 30
/** The same where no lock tells: on another machine's disk, and without FFI. */
const silentSeconds = 300
/** The same for what an older build began, which gives no sign at all. */
const signlessSeconds = 86_400

/** Tells which owners of what is in a ledger still live. */
export class Owners implements OwnerLives {
  readonly #system: System
  readonly #ledger: string
  readonly #us: Owner
  readonly #isShared: boolean

  constructor(system: System, ledger: string) {
    this.#system = system
    this.#ledger = ledger
    this.#us = ourselves(system)
    this.#isShared = isOnNetwork(ledger)
  }

  /** `heardAt`: the last time that the ledger itself knows of. */
  lifeOf(owner: Owner, heardAt: number): Life {
    const life = lifeByPid(this.#system, this.#us, owner)
    return life === 'unknown' ? this.#lifeBySign(owner, heardAt) : life
  }

  readonly isDead = (owner: Owner, heardAt: number): boolean =>
    this.lifeOf(owner, heardAt) === 'dead'

  /** Whether somebody who lives has the file of a task locked, whatever it holds. */
  readonly isHeld = (task: string): boolean => {
    const { files, clock } = this.#system
    const sign = { name: task, isLocked: true }
    return lookAtSign(this.#ledger, sign, files.tryLock, clock.wallSeconds()).kind === 'locked'
  }

  /** Whether it can be signalled by its pid, and nobody else be hit. */
  isWithinReach(owner: Owner): boolean {
    return lifeByPid(this.#system, this.#us, owner) === 'alive'
  }

  #lifeBySign({ sign }: Owner, heardAt: number): Life {
    const now = this.#system.clock.wallSeconds()
    const { tryLock } = this.#system.files
    const seen = sign && lookAtSign(this.#ledger, sign, tryLock, now)
    if (seen === undefined || seen.kind === 'none')
      return now - heardAt > signlessSeconds ? 'dead' : 'unknown'
    if (seen.kind === 'locked') return 'alive'
    // On a disk of many machines a lock may be known to one of them only.
    const isLockTold = seen.lockIsFree && !this.#isShared
    const longest = isLockTold ? silentWithoutLockSeconds : silentSeconds
    if (seen.forSeconds > longest) return 'dead'
    return seen.forSeconds <= 2 * beatSeconds ? 'alive' : 'unknown'
  }
}
