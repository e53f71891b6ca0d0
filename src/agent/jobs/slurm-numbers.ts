import { isJobNumber } from '../slurm/job-number.ts'
import type { SeenProcess } from '../processes/seen-process.ts'
import { jobPlace, type JobPlace } from './job-place.ts'

interface Numbered {
  readonly number: string
  readonly startTicks: number
  readonly learntIn: number
  seenIn: number
}

/**
 * The numbers of Slurm jobs whose cgroup is not named by it, as from Slurm 26.05 on: the environment of their first process
 * tells it. Users can write what they like there, but only their own job then goes by another number.
 */
export class SlurmNumbers {
  readonly #numbers = new Map<string, Numbered>()
  #round = 0

  /** The processes of a new round. */
  begin(processes: Iterable<SeenProcess>): void {
    this.#round += 1
    for (const process of processes) if (process.marks.slurmJobId !== null) this.#learn(process)
    for (const [id, { seenIn }] of this.#numbers)
      // One that ended since is asked for once more.
      if (seenIn < this.#round - 1) this.#numbers.delete(id)
  }

  /** The place, by the job's number where that is known. */
  numbered(place: JobPlace | undefined): JobPlace | undefined {
    const known = place?.kind === 'slurm' ? this.#numbers.get(place.id) : undefined
    if (place === undefined || known === undefined) return place
    known.seenIn = this.#round
    return { ...place, id: known.number }
  }

  #learn({ cgroup, marks, startTicks }: SeenProcess): void {
    const { slurmJobId: number } = marks
    const id = cgroup.includes('slurmstepd.scope/s') ? jobPlace(cgroup, marks)?.id : undefined
    if (number === null || id === undefined || isJobNumber(id)) return
    const known = this.#numbers.get(id)
    // Later than in the first round nobody changes it: the job would be another one.
    const isFirst = known === undefined || known.learntIn === this.#round
    if (!isFirst || startTicks >= (known?.startTicks ?? Infinity)) return
    this.#numbers.set(id, { number, startTicks, learntIn: this.#round, seenIn: this.#round })
  }
}
