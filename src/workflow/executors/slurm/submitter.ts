import { whyNot } from '../../../model/reading.ts'
import type { System } from '../../../system/system.ts'
import type { PlacedOrder, Submission } from '../remote/site.ts'
import { attemptScript } from './batch-script.ts'
import { jobOptions } from './sbatch-options.ts'
import { SlurmRefusal, type SlurmCommands } from './slurm-commands.ts'
import type { SlurmSpec } from './slurm-spec.ts'

/** As MaxArraySize is by default, less the element 0. */
const mostElements = 1000
/** Between two submissions: a controller has other users too. */
const pauseSeconds = 0.05
/** A busy controller is tried again after so long, then after twice that, and so on. */
const firstWaitSeconds = 2
const longestWaitSeconds = 60
const mostTries = 30

export interface SubmitterSettings {
  readonly program: readonly string[]
  /** Where scripts for Slurm are written. */
  readonly directory: () => string
  readonly spec: () => SlurmSpec
  /** Whether jobs that ask for the same go together, as elements of an array. */
  readonly byArrays: () => boolean
  readonly trouble: (message: string) => void
}

/** Hands attempts to Slurm, one submission after the other. */
export class Submitter {
  readonly #system: System
  readonly #commands: SlurmCommands
  readonly #settings: SubmitterSettings
  #chain: Promise<unknown> = Promise.resolve()

  constructor(system: System, commands: SlurmCommands, settings: SubmitterSettings) {
    this.#system = system
    this.#commands = commands
    this.#settings = settings
  }

  submit(orders: readonly PlacedOrder[]): Promise<readonly Submission[]> {
    const answers = new Map<string, Submission>()
    const work = this.#chain.then(async () => {
      for (const alike of this.#grouped(orders)) {
        await this.#submitAlike(alike, answers)
        await this.#pause(pauseSeconds)
      }
      const none: Submission = { kind: 'refused', why: 'it was left out' }
      return orders.map(({ folder }) => answers.get(folder.taskId) ?? none)
    })
    this.#chain = work.catch(() => {})
    return work
  }

  /** Submits a script, and again where the controller was too busy for it; answers the number of the job. */
  async submitScript(
    name: string,
    text: string,
    options: readonly string[],
    workingDirectory: string,
  ): Promise<string> {
    const path = this.#write(`${name}.sh`, text)
    for (let tries = 1; ; tries++)
      try {
        return await this.#commands.submit(path, options, workingDirectory)
      } catch (error) {
        if (!(error instanceof SlurmRefusal) || !error.mayPass || tries >= mostTries) throw error
        if (tries === 1) this.#settings.trouble(`${error.message}; it is tried again`)
        await this.#pause(Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** (tries - 1)))
        const accepted = await this.#acceptedBy(path)
        if (accepted !== undefined) return accepted
      }
  }

  /** A controller that did not answer may have taken a job all the same. Before that is known, none is submitted again. */
  async #acceptedBy(script: string): Promise<string | undefined> {
    for (let tries = 1; ; tries++)
      try {
        return await this.#commands.submittedFrom(script)
      } catch (error) {
        if (tries >= mostTries) throw error
        await this.#pause(Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** (tries - 1)))
      }
  }

  /** Those that ask for the same and run in the same folder, as far as they fit into an array. */
  #grouped(orders: readonly PlacedOrder[]): (readonly PlacedOrder[])[] {
    if (!this.#settings.byArrays()) return orders.map((order) => [order])
    const groups = new Map<string, PlacedOrder[]>()
    for (const placed of orders) {
      const key = JSON.stringify([this.#optionsOf(placed), placed.order.workingDirectory])
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [placed])
      else group.push(placed)
    }
    return [...groups.values()].flatMap((group) =>
      Array.from({ length: Math.ceil(group.length / mostElements) }, (_, part) =>
        group.slice(part * mostElements, (part + 1) * mostElements),
      ),
    )
  }

  #optionsOf({ order }: PlacedOrder): string[] {
    return jobOptions(this.#settings.spec().requestOf(order))
  }

  async #submitAlike(
    alike: readonly PlacedOrder[],
    answers: Map<string, Submission>,
  ): Promise<void> {
    const [first] = alike
    if (first === undefined) return
    try {
      const id = await this.#submitGroup(first, alike)
      alike.forEach(({ folder }, index) => {
        const site = { slurm_job: alike.length === 1 ? id : `${id}_${index + 1}` }
        answers.set(folder.taskId, { kind: 'taken', site })
      })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      // A site may allow smaller ones only (MaxArraySize).
      if (alike.length > 1 && /job array specification/i.test(why)) {
        const half = alike.length >> 1
        await this.#submitAlike(alike.slice(0, half), answers)
        await this.#submitAlike(alike.slice(half), answers)
        return
      }
      for (const { folder } of alike) answers.set(folder.taskId, { kind: 'refused', why })
    }
  }

  #submitGroup(first: PlacedOrder, alike: readonly PlacedOrder[]): Promise<string> {
    const { order, folder } = first
    const name = this.#system.randomId().slice(0, 12)
    const batch = `${this.#settings.directory()}/batch`
    // Started again by Slurm, an attempt would find that it was started before.
    const common = ['--no-requeue', ...this.#optionsOf(first), '--open-mode=append']
    if (alike.length === 1) {
      const jobName = order.environment['JOBMETER_JOB_NAME'] ?? 'jobmeter'
      const options = [`--job-name=${jobName}`, `--output=${folder.path}/slurm.out`]
      const text = attemptScript(this.#settings, { folder: folder.path })
      return this.submitScript(name, text, [...common, ...options], order.workingDirectory)
    }
    const list = `${batch}/${name}.list`
    this.#write(`${name}.list`, `${alike.map((each) => each.folder.path).join('\n')}\n`)
    const options = [
      `--job-name=${this.#settings.spec().name}`,
      `--array=1-${alike.length}`,
      `--output=${batch}/${name}-%a.out`,
    ]
    const text = attemptScript(this.#settings, { list })
    return this.submitScript(name, text, [...common, ...options], order.workingDirectory)
  }

  #write(name: string, text: string): string {
    const { files } = this.#system
    const folder = `${this.#settings.directory()}/batch`
    const made = files.makeDirectories(folder)
    const path = `${folder}/${name}`
    const saved =
      made.kind === 'ok' ? files.saveAnew(path, [new TextEncoder().encode(text)], 'own') : made
    if (saved.kind !== 'ok') throw new Error(whyNot(saved))
    return path
  }

  #pause(seconds: number): Promise<void> {
    return new Promise((resolve) => this.#system.clock.after(seconds, resolve))
  }
}
