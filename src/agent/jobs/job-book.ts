import type { ProcessGpuUse } from '../gpus/node-gpus.ts'
import type { EndedProcess } from '../processes/ended-process.ts'
import type { Settled } from '../processes/settle.ts'
import { noMarks, type SeenProcess } from '../processes/seen-process.ts'
import { jobPlace, type JobPlace } from './job-place.ts'
import { JobTally, type JobFacts } from './job-tally.ts'
import { NewJobs } from './new-jobs.ts'
import { Sessions } from './sessions.ts'
import { SlurmNumbers } from './slurm-numbers.ts'

/** A session below all of these limits and younger than this is rolled up. */
const small = { cpuSeconds: 1, memoryBytes: 64 * 1024 * 1024 }
const shortSeconds = 600

const kernelCommand = 'kernel'
const slurmOwn = 'slurmstepd'
const mostGenerations = 20

/** Anybody can give each of their processes another name and another job: what is kept of one user stays bounded. */
const mostJobsOfOne = 1_000
const furtherCommands = 'further commands'

export interface BookMoment {
  /** Ticks since the boot, as processes' starts are counted. */
  readonly nowTicks: number
  readonly ticksPerSecond: number
  readonly gpuUses: ReadonlyMap<number, ProcessGpuUse>
}

/** Groups processes into jobs, and remembers the jobs from round to round. */
export class JobBook {
  readonly #sessions = new Sessions()
  readonly #slurmNumbers = new SlurmNumbers()
  readonly #newJobs = new NewJobs()
  readonly #facts = new Map<string, JobFacts>()
  readonly #places = new Map<string, JobPlace | undefined>()
  #living: ReadonlyMap<number, SeenProcess> = new Map()
  /** Those that ended since the round before, by pid. */
  #ended: ReadonlyMap<number, EndedProcess> = new Map()
  /** Whether the environment of any process names a Slurm job: only then is there something to inherit from parents. */
  #hasMarked = false
  #round = 0

  /** The jobs of a round with what they used. Small and short ones are rolled up by user and command. */
  tally(
    living: ReadonlyMap<number, SeenProcess>,
    settled: Settled,
    moment: BookMoment,
  ): JobTally[] {
    this.#round += 1
    this.#places.clear()
    this.#sessions.begin(living.values())
    this.#slurmNumbers.begin(living.values())
    const tallies = new Map<JobFacts, JobTally>()
    const tallyOf = (facts: JobFacts): JobTally => {
      let found = tallies.get(facts)
      if (found === undefined) tallies.set(facts, (found = new JobTally(facts)))
      return found
    }
    this.#living = living
    this.#ended = new Map([...settled.ended.keys()].map((one) => [one.pid, one]))
    this.#hasMarked = false
    for (const { marks } of living.values()) this.#hasMarked ||= marks.slurmJobId !== null
    for (const process of living.values()) {
      const tally = tallyOf(this.#jobOf(process))
      tally.addMember(process)
      const use = settled.living.get(process)
      if (use !== undefined) tally.addUse(use)
      const onGpus = moment.gpuUses.get(process.pid)
      if (onGpus !== undefined) tally.addGpuUse(onGpus)
    }
    for (const [one, use] of settled.ended) {
      const tally = tallyOf(this.#jobOfEnded(one))
      tally.addUse(use)
      if (one.seen === null) tally.addShort(use)
    }
    const told = this.#rollUp([...tallies.values()], moment)
    for (const [key, facts] of this.#facts) if (facts.seenIn < this.#round) this.#facts.delete(key)
    return told
  }

  #jobOf(process: SeenProcess): JobFacts {
    if (process.isKernelThread) return this.#rolledUp(0, kernelCommand)
    if (isSeenTooLate(process))
      return this.#jobAbove(process.parentPid, process.uid, process.command)
    const place = this.#placeOf(process) ?? (this.#hasMarked ? this.#inherited(process) : undefined)
    // Slurm's own: it runs the job, as root, and is no part of what the job's user did.
    if (place?.kind === 'slurm' && process.uid === 0 && process.command === slurmOwn)
      return this.#rolledUp(0, slurmOwn)
    const kind = place?.kind ?? 'session'
    const id = place?.id ?? this.#sessions.idOf(process)
    const facts = this.#factsOf(kind, id, process, place)
    // A job is named after its oldest process; one that ended leaves its name.
    if (process.startTicks < facts.startTicks || facts.pid === process.pid) {
      facts.startTicks = process.startTicks
      facts.command = process.command
      facts.pid = process.pid
    }
    return facts
  }

  /** A process that was never seen is taken for a part of the job that it was started in, if that is the same user's. */
  #jobOfEnded({ seen, record, parentPid }: EndedProcess): JobFacts {
    return seen === null
      ? this.#jobAbove(parentPid, record?.uid, record?.command ?? 'unknown')
      : this.#jobOf(seen)
  }

  #jobAbove(parentPid: number, uid: number | undefined, command: string): JobFacts {
    const ancestor = this.#nearestSeen(parentPid, uid)
    if (ancestor !== undefined && ancestor.pid !== 1 && !ancestor.isKernelThread)
      return this.#jobOf(ancestor)
    return this.#rolledUp(uid ?? ancestor?.uid ?? 0, command)
  }

  /** The next above that a round has seen. Between it and a program, `make` has shells that live as short as the program. */
  #nearestSeen(parentPid: number, uid: number | undefined): SeenProcess | undefined {
    let pid = parentPid
    for (let steps = 0; steps < mostGenerations; steps++) {
      const ended = this.#ended.get(pid)
      const seen = this.#living.get(pid) ?? ended?.seen ?? undefined
      const itsUid = seen?.uid ?? ended?.record?.uid
      if (itsUid === undefined || itsUid !== (uid ?? itsUid)) return undefined
      if (seen !== undefined && !isSeenTooLate(seen)) return seen
      pid = seen?.parentPid ?? ended?.parentPid ?? 0
    }
    return undefined
  }

  /** Many processes are in the same cgroup. */
  #placeOf({ cgroup, marks }: SeenProcess): JobPlace | undefined {
    const key = `${marks.slurmJobId ?? ''} ${marks.taskId ?? ''} ${cgroup}`
    if (this.#places.has(key)) return this.#places.get(key)
    const place = this.#slurmNumbers.numbered(jobPlace(cgroup, marks))
    this.#places.set(key, place)
    return place
  }

  /** Where Slurm has no cgroups, a process that threw its environment away is still part of its parents' job. */
  #inherited({ parentPid, uid }: SeenProcess): JobPlace | undefined {
    let parent = this.#living.get(parentPid)
    for (let steps = 0; steps < mostGenerations && parent?.uid === uid && parent.pid > 1; steps++) {
      if (parent.marks.slurmJobId !== null) return this.#placeOf(parent)
      parent = this.#living.get(parent.parentPid)
    }
    return undefined
  }

  /**
   * A job in which several users have processes is one for each of them. Ids come from environments too, where anybody can
   * write what they like: nobody gets into a job of another with them.
   */
  #factsOf(
    kind: JobFacts['kind'],
    id: string,
    process: SeenProcess,
    place: JobPlace | undefined,
  ): JobFacts {
    const key = `${kind} ${process.uid} ${id}`
    const known = this.#facts.get(key)
    if (known !== undefined) {
      known.seenIn = this.#round
      return known
    }
    const facts: JobFacts = {
      kind,
      id,
      uid: process.uid,
      place,
      marks: process.marks,
      command: process.command,
      pid: process.pid,
      startTicks: process.startTicks,
      cpuSeconds: 0,
      seenIn: this.#round,
      isOwn: kind !== 'session',
    }
    this.#facts.set(key, facts)
    return facts
  }

  #rolledUp(uid: number, command: string): JobFacts {
    const id = `${uid}/${command}`
    const key = `rolled-up ${id}`
    const known = this.#facts.get(key)
    if (known !== undefined) {
      known.seenIn = this.#round
      return known
    }
    const facts: JobFacts = {
      kind: 'rolled-up',
      id,
      uid,
      place: undefined,
      marks: noMarks,
      command,
      pid: null,
      startTicks: Number.NaN,
      cpuSeconds: 0,
      seenIn: this.#round,
      isOwn: true,
    }
    this.#facts.set(key, facts)
    return facts
  }

  #rollUp(tallies: readonly JobTally[], { nowTicks, ticksPerSecond }: BookMoment): JobTally[] {
    const told = new Map<JobFacts, JobTally>()
    const jobsOf = new Map<number, number>()
    for (const tally of tallies) {
      const { facts } = tally
      facts.cpuSeconds += tally.cpuSeconds
      facts.isOwn ||=
        facts.cpuSeconds >= small.cpuSeconds ||
        tally.memoryBytes >= small.memoryBytes ||
        tally.cards.size > 0 ||
        (nowTicks - facts.startTicks) / ticksPerSecond >= shortSeconds
      let owner = facts.isOwn ? facts : this.#rolledUp(facts.uid, facts.command)
      if (!told.has(owner)) {
        const isKept = this.#newJobs.keeps(owner, tally.cards.size > 0, nowTicks / ticksPerSecond)
        const jobs = (jobsOf.get(facts.uid) ?? 0) + (isKept ? 1 : 0)
        jobsOf.set(facts.uid, jobs)
        if (!isKept || jobs > mostJobsOfOne) owner = this.#rolledUp(facts.uid, furtherCommands)
      }
      const there = told.get(owner)
      if (there !== undefined) there.absorb(tally)
      else if (owner === facts) told.set(owner, tally)
      else {
        const sum = new JobTally(owner)
        sum.absorb(tally)
        told.set(owner, sum)
      }
    }
    return [...told.values()]
  }
}

/** A zombie has no cgroup and no environment any more: if it is first seen as one, it is as if it had never been seen. */
const isSeenTooLate = ({ isZombie, cgroup }: SeenProcess): boolean => isZombie && cgroup === ''
