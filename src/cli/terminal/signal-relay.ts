import type { RunningJob } from '../../launch/running-job.ts'
import type { Processes } from '../../system/system.ts'
import { endingSignals } from './ending-signals.ts'
import type { TerminalRole } from './terminal-role.ts'

/** What is meant for the job reaches the job, and jobmeter itself stays to see how it ends. */
export class SignalRelay {
  #job: RunningJob | undefined
  /** What came before there was a job to give it to. */
  readonly #early: ((job: RunningJob) => void)[] = []

  /** `onCtrlC` is called when the first one was typed: the job has been asked to end. */
  constructor(processes: Processes, terminal: TerminalRole, onCtrlC: () => void) {
    let typed = false
    for (const signal of endingSignals)
      processes.onSignal(signal, () => {
        const delivered = terminal.delivers(signal)
        this.#pass((job) => job.signal(signal, delivered))
        if (signal !== 'SIGINT' || !delivered || typed) return
        typed = true
        onCtrlC()
      })
    // On a terminal we share the job's group, and the terminal stops and continues us together.
    if (terminal.group === 'shared') return
    for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT'] as const)
      processes.onSignal(signal, () => this.#pass((job) => job.pass(signal)))
    processes.onSignal('SIGTSTP', () => {
      this.#pass((job) => job.pass('SIGTSTP'))
      processes.signal(processes.self, 'SIGSTOP')
    })
  }

  connect(job: RunningJob): void {
    this.#job = job
    for (const pass of this.#early.splice(0)) pass(job)
  }

  #pass(pass: (job: RunningJob) => void): void {
    if (this.#job === undefined) this.#early.push(pass)
    else pass(this.#job)
  }
}
