import { outerTasksOf } from '../model/task-mark.ts'
import type { ProcessStat } from '../sensors/procfs/stat.ts'
import { readUser } from '../sensors/procfs/status.ts'
import type { System } from '../system/system.ts'
import type { BlindTime } from './blind-time.ts'
import type { Member } from './member.ts'
import type { ProcessReader } from './process-reader.ts'

/** A job whose processes are looked for. */
export interface Seeker {
  /** Written in the environment of the job's processes, so that orphans can be told apart; null for a job that is not ours. */
  readonly mark: string | null
  /** A number that its processes keep when they are dead; null where they have none. */
  readonly brand: number | null
  /** Of whose processes only the mark counts; undefined: of anybody's. */
  readonly markUid?: number | undefined
  /** The name of the cgroup that was made for it, which no other has; null where it has none. */
  readonly cgroupName: string | null
  /** Whether that names those that are dead, too. */
  readonly keepsItsDead: boolean
  /** Its processes as far as they are known; those that are found while one goes through them are given too. */
  living(): Iterable<Member>
  /** For how long they were not looked for. */
  readonly blind: BlindTime
  /** About how much there is to go through. */
  readonly knownThreads: number
  has(pid: number): boolean
  /** Whether a process of the job was seen in that session or process group. */
  hasFamily(id: number): boolean
  /** Takes in whoever the kernel lists as its own, where it has a cgroup. */
  takeListed(): void
  /** Takes a process in, if it is there; undefined if it is not. */
  take(pid: number): Member | undefined
}

/** Whether it is a process of any of these jobs. */
export const isKnown = (pid: number, seekers: readonly Seeker[]): boolean =>
  seekers.some((seeker) => seeker.has(pid))

/**
 * Whose a process is that lost its parent and came to us. Being our child says nothing: so is every job that we
 * started, and every orphan of every job. To guess would be to give one job the figures of another, and to end
 * a neighbour together with a job.
 */
export class Orphans {
  readonly #system: System
  readonly #reader: ProcessReader
  /** Left behind by jobs that are over: start times by pid. */
  readonly #disowned = new Map<number, number>()
  #own: { readonly group: number; readonly session: number } | undefined

  constructor(system: System, reader: ProcessReader) {
    this.#system = system
    this.#reader = reader
  }

  /** A process left behind by a job that is over: no later job may take it for its own. */
  disown(pid: number, startTicks: number): void {
    this.#disowned.set(pid, startTicks)
  }

  /** It has been reaped: its pid may name another process from now on. */
  forget(pid: number): void {
    this.#disowned.delete(pid)
  }

  /** Whether it may be some job's at all: those that we started ourselves are nobody's orphans. */
  isOrphan(pid: number): boolean {
    if (this.#system.processes.hasStarted(pid)) return false
    const startTicks = this.#disowned.get(pid)
    if (startTicks === undefined) return true
    if (this.#reader.identify(pid)?.startTicks === startTicks) return false
    this.#disowned.delete(pid)
    return true
  }

  /** Of an orphan that is no known job's: whether it may be some job's all the same. */
  mayBeAnybodys(pid: number): boolean {
    return this.isOrphan(pid) && this.#system.processes.brandOf(pid) === null
  }

  ownerOf(pid: number, seekers: readonly Seeker[]): Seeker | undefined {
    const marked = seekers.filter(({ mark }) => mark !== null)
    const number = this.#system.processes.brandOf(pid)
    // With that of a job which is over it is nobody's, whatever else may fit.
    if (number !== null) return marked.find(({ brand }) => brand === number)
    return (
      this.#ownerByCgroup(pid, marked) ??
      this.#ownerByMark(pid, marked) ??
      this.#ownerByFamily(this.#reader.identify(pid), marked) ??
      this.#onlyOne(marked)
    )
  }

  /** By its environment, which a process keeps unless it is told not to. */
  ownerByMark(pid: number, seekers: readonly Seeker[]): Seeker | undefined {
    return this.#ownerByMark(
      pid,
      seekers.filter(({ mark }) => mark !== null),
    )
  }

  /** By where the kernel counts it, which v2 tells of the dead as well. */
  #ownerByCgroup(pid: number, marked: readonly Seeker[]): Seeker | undefined {
    if (marked.every(({ cgroupName }) => cgroupName === null)) return undefined
    const places = this.#system.files.readText(`/proc/${pid}/cgroup`)
    if (places.kind !== 'ok') return undefined
    const names = new Set(places.value.split(/[/\n]/))
    return marked.find(({ cgroupName }) => cgroupName !== null && names.has(cgroupName))
  }

  #ownerByMark(pid: number, marked: readonly Seeker[]): Seeker | undefined {
    if (marked.length === 0) return undefined
    const environment = this.#system.files.readText(`/proc/${pid}/environ`)
    if (environment.kind !== 'ok' || environment.value === '') return undefined
    const text = `\0${environment.value}`
    return marked.find(
      ({ mark, markUid }) =>
        mark !== null &&
        carriesMark(text, mark) &&
        (markUid === undefined || readUser(this.#system.files, pid) === markUid),
    )
  }

  /** By its session and process group. Our own say nothing: whoever we start may be in them. */
  #ownerByFamily(stat: ProcessStat | undefined, marked: readonly Seeker[]): Seeker | undefined {
    if (stat === undefined) return undefined
    const { groupId, sessionId } = stat
    const own = this.#ownFamily()
    const claimants = marked.filter(
      (seeker) =>
        (sessionId !== own.session && seeker.hasFamily(sessionId)) ||
        (groupId !== own.group && groupId !== own.session && seeker.hasFamily(groupId)),
    )
    // An id may be used again, by another job: two that claim it say as much as none.
    return claimants.length === 1 ? claimants[0] : undefined
  }

  /** Where we adopt orphans and have only ever started one job, there is no doubt. */
  #onlyOne(marked: readonly Seeker[]): Seeker | undefined {
    const { adoptsOrphans, startedEver } = this.#system.processes
    return adoptsOrphans && startedEver <= 1 && marked.length === 1 ? marked[0] : undefined
  }

  #ownFamily(): { readonly group: number; readonly session: number } {
    if (this.#own === undefined) {
      const stat = this.#reader.identify(this.#system.processes.self)
      this.#own = { group: stat?.groupId ?? NaN, session: stat?.sessionId ?? NaN }
    }
    return this.#own
  }
}

/** As its own, or, of a job that another jobmeter started inside of this one, as one of those around it. */
const carriesMark = (text: string, mark: string): boolean =>
  text.includes(`\0${mark}\0`) || outerTasksOf(text).includes(mark.slice(mark.indexOf('=') + 1))
