import { givenEnvironment } from '../../system/given.ts'
import type { System } from '../../system/system.ts'
import { joinedTeam } from './team-config.ts'

/** How long the process stays when nothing runs any more. */
const idleTime = '10s'

/** One that ends, though it should go on, is not started again before this time. */
const restartSeconds = 60

/**
 * A process of its own that sends a ledger to its team: nothing on a network can slow whoever starts it, and what was written
 * is sent even if that one is killed. One process at a time sends a ledger to a team; another ends at once.
 */
export class SendCompanion {
  readonly #system: System
  readonly #ledger: string
  readonly #team: string | undefined
  readonly #nodeDatabase: string | undefined
  #pid: number | undefined
  #endedAt = Number.NEGATIVE_INFINITY

  /** `team`: the address of another than the ledger has joined. `nodeDatabase`: of an agent, all of which is sent too. */
  constructor(
    system: System,
    ledger: string,
    given: { readonly team: string | undefined; readonly nodeDatabase: string | undefined },
  ) {
    this.#system = system
    this.#ledger = ledger
    this.#team = given.team
    this.#nodeDatabase = given.nodeDatabase
  }

  /** Sends until no job runs any more. */
  sendWhileJobsRun(): void {
    this.#start(['--until-idle', idleTime], () => {})
  }

  /** Sends until `stop`, if it does not do so already. */
  keepSending(): void {
    const now = this.#system.clock.monotonicSeconds()
    if (this.#pid !== undefined || now - this.#endedAt < restartSeconds) return
    // One that was killed cannot stop it.
    this.#start(['--until-idle', idleTime, '--beside', String(process.pid)], () => {
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
    const address = this.#team ?? this.#joined()
    if (program === undefined || address === undefined) return
    const nodes = this.#nodeDatabase === undefined ? [] : ['--node-db', this.#nodeDatabase]
    const sync = [process.execPath, program, 'sync', '--watch', '--quiet']
    const started = this.#system.processes.spawn(
      {
        command: [...sync, ...options, '--db', this.#ledger, ...nodes],
        // Not in a word of the command, which others can see: there may be a password in it.
        environment: { ...givenEnvironment(), JOBMETER_TEAM: address },
        workingDirectory: '/',
        group: 'own',
        stdin: '/dev/null',
        stdout: '/dev/null',
        // What an agent cannot send is for its log; a workflow says what it is asked for.
        ...(this.#nodeDatabase === undefined ? { stderr: '/dev/null' } : {}),
        isCompanion: true,
      },
      { isHelper: true, reaped },
    )
    if (started.kind === 'started') this.#pid = started.pid
  }

  /** Whatever is wrong with the settings of a team never keeps a job from running. */
  #joined(): string | undefined {
    try {
      return joinedTeam(this.#system, process.env, this.#ledger)
    } catch {
      return undefined
    }
  }
}
