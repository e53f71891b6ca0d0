import { givenEnvironment } from '../../system/given.ts'
import type { System } from '../../system/system.ts'
import { joinedTeam } from './team-config.ts'

/** How long the process stays when nothing runs any more. */
const idleTime = '10s'

/** One that ends, though it should go on, is not started again before this time. */
const restartSeconds = 60

/**
 * A process of its own that sends a ledger to its team: nothing on a network can slow whoever starts it, and what was written
 * is sent even if that one is killed. One process at a time sends a ledger; another ends at once.
 */
export class SendCompanion {
  readonly #system: System
  readonly #ledger: string
  readonly #nodeDatabase: string | undefined
  #pid: number | undefined
  #endedAt = Number.NEGATIVE_INFINITY

  /** `nodeDatabase`: of an agent, all of which is sent too. */
  constructor(system: System, ledger: string, nodeDatabase?: string) {
    this.#system = system
    this.#ledger = ledger
    this.#nodeDatabase = nodeDatabase
  }

  /** Sends until no job runs any more. */
  sendWhileJobsRun(): void {
    this.#start(['--until-idle', idleTime], () => {})
  }

  /** Sends until `stop`, if it does not do so already. */
  keepSending(): void {
    const now = this.#system.clock.monotonicSeconds()
    if (this.#pid !== undefined || now - this.#endedAt < restartSeconds) return
    this.#start([], () => {
      this.#pid = undefined
      this.#endedAt = this.#system.clock.monotonicSeconds()
    })
  }

  /** It sends what is left, and ends. */
  stop(): void {
    if (this.#pid !== undefined) this.#system.processes.signal(this.#pid, 'SIGTERM')
  }

  #start(options: readonly string[], reaped: () => void): void {
    const [, program] = process.argv
    if (program === undefined || !this.#hasJoined()) return
    const nodes = this.#nodeDatabase === undefined ? [] : ['--node-db', this.#nodeDatabase]
    const sync = [process.execPath, program, 'sync', '--watch', '--quiet']
    const started = this.#system.processes.spawn(
      {
        command: [...sync, ...options, '--db', this.#ledger, ...nodes],
        environment: givenEnvironment(),
        workingDirectory: '/',
        group: 'own',
        stdin: '/dev/null',
        stdout: '/dev/null',
        stderr: '/dev/null',
        isCompanion: true,
      },
      { isHelper: true, reaped },
    )
    if (started.kind === 'started') this.#pid = started.pid
  }

  /** Whatever is wrong with the settings of a team never keeps a job from running. */
  #hasJoined(): boolean {
    try {
      return joinedTeam(this.#system, process.env, this.#ledger) !== undefined
    } catch {
      return false
    }
  }
}
