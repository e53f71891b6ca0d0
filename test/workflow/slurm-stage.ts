import { readFileSync } from 'node:fs'
import type { Ended, Sandbox, StartOptions } from '../program.ts'
import type { Slurm } from '../slurm/slurm.ts'

/** What the tests of workflows on Slurm have in common: one Slurm for all of them, and how the program is run on it. */
export class SlurmStage {
  #slurm: Slurm | undefined

  use(slurm: Slurm): void {
    this.#slurm = slurm
  }

  get slurm(): Slurm {
    if (this.#slurm === undefined) throw new Error('Slurm has not started')
    return this.#slurm
  }

  onIt({ env = {}, ...more }: StartOptions = {}): StartOptions {
    return { timeoutMs: 200_000, ...more, env: { ...env, SLURM_CONF: this.slurm.conf } }
  }

  words(...words: readonly string[]): string[] {
    return ['run', '--executor', 'slurm', '--slurm-poll', '1s', ...words]
  }

  run(box: Sandbox, words: readonly string[], options: StartOptions = {}): Promise<Ended> {
    return box.jobmeter(this.words(...words), this.onIt(options))
  }

  /** The number of a job that runs, by its name; empty where there is none. */
  running(name: string): string {
    return this.slurm.call('squeue', '-h', '-t', 'R', '-n', name, '-o', '%i')
  }
}

/** What jobs of the sandbox have written into a file; null where there is none. */
export function fileOf(box: Sandbox, name: string): string | null {
  try {
    return readFileSync(box.path(name), 'utf8')
  } catch {
    return null
  }
}
