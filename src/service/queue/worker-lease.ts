import { leftJobOf, type LeftJob } from '../../launch/container/left-containers.ts'
import type { JobTrace } from '../../launch/leftovers.ts'
import type { Owner } from '../../model/machine.ts'
import { LivingOwner } from '../../record/living-owner.ts'
import { givenEnvironment } from '../../system/given.ts'
import type { System } from '../../system/system.ts'
import { sameProgram } from '../actions/start-program.ts'
import { bootSeconds } from '../../system/boot-clock.ts'

/**
 * Our jobs are ended when so much of the lease is over since we last asked for it: the database grants it later than we ask,
 * so nobody else can have them before all of it is over.
 */
const usableShare = 0.7

/**
 * What a worker may still do under its lease. A process of its own (`guard.ts`) watches it: that one ends our jobs if we
 * are killed, stopped or cut off from the database, before they are given to another worker.
 */
export class WorkerLease {
  readonly #system: System
  readonly #ledger: string
  readonly #life: LivingOwner
  readonly #leaseSeconds: number
  readonly #team: string
  /** What the guard must know of those that run containers. */
  readonly #containers = new Map<string, LeftJob>()
  #endsAt: number
  #isOver = false

  /** `team`: where the queue is, for the guard to tell what we could not. */
  constructor(system: System, ledger: string, leaseSeconds: number, team: string) {
    this.#system = system
    this.#ledger = ledger
    this.#leaseSeconds = leaseSeconds
    this.#team = team
    this.#life = new LivingOwner(system, ledger)
    this.#life.sign.note('owner', JSON.stringify({ owner: this.owner }))
    this.#endsAt = -Infinity
    this.renewed(this.now())
    this.#startGuard()
  }

  get owner(): Owner {
    return this.#life.owner
  }

  /** The name of our sign of life. */
  get sign(): string {
    return this.owner.sign?.name ?? ''
  }

  /** Where jobs may write marks. */
  get directory(): string {
    return this.#life.sign.directory
  }

  now(): number {
    return bootSeconds()
  }

  /**
   * It was asked for then, and granted. False where it had ended before that was written down: the guard may have ended
   * any job by then.
   */
  renewed(askedAt: number): boolean {
    const before = this.#endsAt
    this.#endsAt = Math.max(before, askedAt + this.#leaseSeconds * usableShare)
    this.#life.sign.note('lease', JSON.stringify({ leaseEndsAt: this.#endsAt }))
    return this.now() <= before
  }

  /** How long we may go on with what we have. */
  get secondsLeft(): number {
    return this.#endsAt - this.now()
  }

  /** Before it starts: else the guard would not know of a job whose worker is killed just then. */
  willStart(order: LeftJob): void {
    const { taskId } = order
    const container = leftJobOf(order)
    if (container !== undefined) this.#containers.set(taskId, container)
    this.#noteJob(taskId, { taskId })
  }

  hasStarted(taskId: string, trace: JobTrace): void {
    this.#noteJob(taskId, trace)
  }

  hasEnded(taskId: string): void {
    this.#containers.delete(taskId)
    this.#life.sign.forget(taskId)
  }

  #noteJob(taskId: string, trace: object): void {
    const container = this.#containers.get(taskId)
    this.#life.sign.note(taskId, JSON.stringify({ ...trace, container }))
  }

  end(): void {
    this.#isOver = true
    this.#life.end()
  }

  /** Somebody may kill it: then there is another at once. */
  #startGuard(): void {
    const { pid, startTicks } = this.owner
    const about = [String(pid), String(startTicks), this.sign, this.#ledger]
    this.#system.processes.spawn(
      {
        command: [...sameProgram(), 'worker-guard', ...about],
        // Not among its words, which others see: there may be a password in the address.
        environment: { ...givenEnvironment(), JOBMETER_TEAM: this.#team },
        workingDirectory: '/',
        group: 'own',
        stdin: '/dev/null',
        stdout: '/dev/null',
        stderr: '/dev/null',
        isCompanion: true,
      },
      {
        reaped: () => {
          if (!this.#isOver) this.#startGuard()
        },
      },
    )
  }
}
