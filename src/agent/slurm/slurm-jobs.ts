import type { System, ToolPlace } from '../../system/system.ts'
import { askInParts } from './ask-in-parts.ts'
import { isJobNumber } from './job-number.ts'
import { parseSacctAllocations, sacctCommand } from './sacct.ts'
import type { SlurmWord } from './slurm-word.ts'
import { parseSqueue, squeueCommand } from './squeue.ts'

/** What can be changed while a job runs, as its time limit, is asked for again after this. */
const freshSeconds = 1800
/** While Slurm does not answer, it is asked less and less often. */
const firstPauseSeconds = 20
const longestPauseSeconds = 3600
/** A job that is over and that nobody knows is forgotten after so many questions. */
const mostQuestions = 6
/** A command line has room for more, and the rest is asked for after the next round. */
const mostAtOnce = 200

/** Users write into their environments what they like; the cgroup of a job is Slurm's. */
type IdSource = 'cgroup' | 'environment'

interface Asked {
  readonly id: string
  readonly uid: number
  source: IdSource
  /** `not theirs`: it is a job of another user. */
  word: SlurmWord | 'not theirs' | undefined
  isTold: boolean
  seenIn: number
  questions: number
  askAt: number
}

export interface LateSlurmWord {
  readonly id: string
  readonly uid: number
  readonly word: SlurmWord
}

/**
 * What Slurm says of the jobs on this node. It is asked in the background, once for all jobs that are new, so that a round
 * never waits: what it says counts from the next round on, or is reported later if the job is over by then.
 */
export class SlurmJobs {
  readonly #system: System
  readonly #jobs = new Map<string, Asked>()
  #late: LateSlurmWord[] = []
  #isAsking = false
  #round = 0

  constructor(system: System) {
    this.#system = system
  }

  /** What Slurm says of a job of this round. A user who forges the id of somebody else's job gets nothing. */
  of(id: string, uid: number, source: IdSource): SlurmWord | undefined {
    if (!isJobNumber(id)) return undefined
    let job = this.#jobs.get(keyOf(id, uid))
    if (job === undefined) {
      job = { id, uid, source, ...untold }
      this.#jobs.set(keyOf(id, uid), job)
    }
    job.source = source
    job.seenIn = this.#round
    if (job.word === undefined || job.word === 'not theirs') return undefined
    job.isTold = true
    return job.word
  }

  has(id: string, uid: number): boolean {
    return this.#jobs.has(keyOf(id, uid))
  }

  /** What became known of jobs that are over. */
  takeLate(): LateSlurmWord[] {
    const late = this.#late
    this.#late = []
    return late
  }

  /** After the jobs of a round: asks for what is to be known. */
  endRound(place: ToolPlace): void {
    const now = this.#system.clock.monotonicSeconds()
    const due: Asked[] = []
    for (const [key, job] of this.#jobs) {
      const { word, id, uid } = job
      const isOver = job.seenIn < this.#round
      if (isOver && (word !== undefined || job.questions >= mostQuestions)) {
        // One that comes again was put back into the queue: it is asked for anew.
        this.#jobs.delete(key)
        if (word !== undefined && word !== 'not theirs' && !job.isTold)
          this.#late.push({ id, uid, word })
      } else if (job.askAt <= now) due.push(job)
    }
    this.#round += 1
    if (due.length === 0 || this.#isAsking) return
    this.#isAsking = true
    const certain = inTurns(due.filter(({ source }) => source === 'cgroup')).slice(0, mostAtOnce)
    const others = inTurns(due.filter(({ source }) => source === 'environment'))
    void this.#ask(certain, place)
      .then(() => this.#ask(others.slice(0, mostAtOnce - certain.length), place))
      .finally(() => (this.#isAsking = false))
  }

  async #ask(jobs: readonly Asked[], place: ToolPlace): Promise<void> {
    if (jobs.length === 0) return
    const system = this.#system
    const askFor = (asked: readonly Asked[], commandOf: typeof squeueCommand): Promise<string[]> =>
      askInParts(idsOf(asked), (ids) => system.toolOutput(commandOf(ids), place), system.clock)
    take(jobs, (await askFor(jobs, squeueCommand)).flatMap(parseSqueue))
    const unknown = jobs.filter(({ word }) => word === undefined)
    if (unknown.length > 0)
      take(unknown, (await askFor(unknown, sacctCommand)).flatMap(parseSacctAllocations))
    const now = system.clock.monotonicSeconds()
    for (const job of jobs) {
      job.questions += 1
      const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (job.questions - 1))
      job.askAt = now + (job.word === undefined ? pause : freshSeconds)
    }
  }
}

const untold = {
  word: undefined,
  isTold: false,
  seenIn: 0,
  questions: 0,
  askAt: -Infinity,
} as const

/** One of each user, then the next of each: nobody who has very many keeps others waiting. */
function inTurns(jobs: readonly Asked[]): Asked[] {
  const turns = new Map<number, number>()
  const numbered = jobs.map((job) => {
    const turn = turns.get(job.uid) ?? 0
    turns.set(job.uid, turn + 1)
    return { job, turn }
  })
  return numbered.toSorted((one, other) => one.turn - other.turn).map(({ job }) => job)
}

const keyOf = (id: string, uid: number): string => `${id}@${uid}`

const idsOf = (jobs: readonly Asked[]): string[] => [...new Set(jobs.map(({ id }) => id))]

function take(jobs: readonly Asked[], words: readonly SlurmWord[]): void {
  const byId = new Map(words.map((word) => [word.id, word]))
  for (const job of jobs) {
    const word = byId.get(job.id)
    if (word === undefined) continue
    job.word = job.uid === word.uid ? word : 'not theirs'
    job.isTold = false
  }
}
