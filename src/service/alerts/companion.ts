import { givenEnvironment } from '../../system/given.ts'
import type { System } from '../../system/system.ts'

/**
 * Has a process of its own deliver what is queued: nothing on a network can slow the runner, and what is queued goes out
 * even if the runner is killed. There is one at a time for each runner.
 */
export class Companion {
  readonly #system: System
  readonly #ledger: string
  #isRunning = false
  /** Something was queued that none has been started for since; one that runs may not see it before it ends. */
  #isOwed = false

  constructor(system: System, ledger: string) {
    this.#system = system
    this.#ledger = ledger
  }

  /** Something is queued. */
  wake(): void {
    this.#isOwed = true
    // The account of a job that is kept without libc would count every other child in.
    if (!this.#isRunning && this.#system.processes.launcher === 'posix_spawn') this.#start()
  }

  /** The runner ends: what it queued last must be somebody's to deliver. */
  leave(): void {
    if (this.#isOwed) this.#start()
  }

  #start(): void {
    const [, program] = process.argv
    if (program === undefined) return
    const started = this.#system.processes.spawn(
      {
        command: [process.execPath, program, 'alerts', 'deliver', '--quiet', '--db', this.#ledger],
        environment: givenEnvironment(),
        workingDirectory: '/',
        group: 'own',
        stdin: '/dev/null',
        stdout: '/dev/null',
        stderr: '/dev/null',
        isCompanion: true,
      },
      {
        reaped: () => {
          this.#isRunning = false
          if (this.#isOwed) this.#start()
        },
      },
    )
    if (started.kind !== 'started') return
    this.#isRunning = true
    this.#isOwed = false
  }
}
