import { addTold } from '../../model/told-sum.ts'
import type { JobKind, NodeJob, Reservation, Scheduled } from '../../model/node-round.ts'
import type { ProcessGpuUse } from '../gpus/node-gpus.ts'
import type { FreshUse } from '../processes/ended-process.ts'
import type { ProcessMarks, SeenProcess } from '../processes/seen-process.ts'
import type { JobPlace } from './job-place.ts'

/** What is known of a job for as long as it is seen. */
export interface JobFacts {
  readonly kind: JobKind
  readonly id: string
  readonly uid: number
  readonly place: JobPlace | undefined
  readonly marks: ProcessMarks
  command: string
  pid: number | null
  startTicks: number
  cpuSeconds: number
  seenIn: number
  /** Whether it has been long or large enough to be a job of its own. */
  isOwn: boolean
}

/** Whether it is Slurm that says whose job it is. What users name like Slurm's within their own cgroup is not. */
export function isSlurmCgroup({ kind, place }: JobFacts): boolean {
  const directories = [...(place?.cgroups.values() ?? [])]
  return (
    kind === 'slurm' &&
    directories.length > 0 &&
    !directories.some((directory) => directory.includes('/user@'))
  )
}

/** What a job used in one round. */
export class JobTally {
  readonly facts: JobFacts
  cpuSeconds = 0
  readBytes: number | null = null
  writeBytes: number | null = null
  gpuSeconds: number | null = null
  joules: number | null = null
  memoryBytes = 0
  gpuMemoryBytes: number | null = null
  readonly cards: ProcessGpuUse['cards'] = new Set()
  processes = 0
  threads = 0
  zombies = 0
  shortProcesses: number | null = null
  shortCpuSeconds: number | null = null

  constructor(facts: JobFacts) {
    this.facts = facts
  }

  addUse(use: FreshUse): void {
    this.cpuSeconds += use.cpuSeconds
    if (!Number.isNaN(use.readBytes)) this.readBytes = (this.readBytes ?? 0) + use.readBytes
    if (!Number.isNaN(use.writeBytes)) this.writeBytes = (this.writeBytes ?? 0) + use.writeBytes
  }

  /** One that nobody saw alive. */
  addShort({ cpuSeconds }: FreshUse): void {
    this.shortProcesses = (this.shortProcesses ?? 0) + 1
    this.shortCpuSeconds = (this.shortCpuSeconds ?? 0) + cpuSeconds
  }

  /** Takes up to so many seconds from what another has of those that nobody saw alive; answers how many it were. */
  takeShort(other: JobTally, mostSeconds: number): number {
    const seconds = Math.min(mostSeconds, other.shortCpuSeconds ?? 0, other.cpuSeconds)
    if (other.shortCpuSeconds === null || !(seconds > 0)) return 0
    const count = Math.round(((other.shortProcesses ?? 0) * seconds) / other.shortCpuSeconds)
    other.cpuSeconds -= seconds
    other.shortCpuSeconds -= seconds
    other.shortProcesses = (other.shortProcesses ?? 0) - count
    this.cpuSeconds += seconds
    this.shortCpuSeconds = (this.shortCpuSeconds ?? 0) + seconds
    this.shortProcesses = (this.shortProcesses ?? 0) + count
    return seconds
  }

  addMember(process: SeenProcess): void {
    this.processes += 1
    this.threads += process.threads
    this.memoryBytes += process.residentBytes * process.ownPart
    // Every process is one for the moment between its end and its parent's notice of it.
    if (process.staysZombie) this.zombies += 1
  }

  addGpuUse(use: ProcessGpuUse): void {
    this.gpuSeconds = addTold(this.gpuMemoryBytes === null ? 0 : this.gpuSeconds, use.gpuSeconds)
    if (use.joules !== null) this.joules = (this.joules ?? 0) + use.joules
    this.gpuMemoryBytes = (this.gpuMemoryBytes ?? 0) + use.memoryBytes
    for (const card of use.cards) this.cards.add(card)
  }

  /** Adds all of another, which is not told by itself. */
  absorb(other: JobTally): void {
    this.addUse({
      cpuSeconds: other.cpuSeconds,
      readBytes: other.readBytes ?? Number.NaN,
      writeBytes: other.writeBytes ?? Number.NaN,
    })
    if (other.gpuMemoryBytes !== null)
      this.addGpuUse({
        gpuSeconds: other.gpuSeconds,
        joules: other.joules,
        memoryBytes: other.gpuMemoryBytes,
        cards: other.cards,
      })
    this.memoryBytes += other.memoryBytes
    this.processes += other.processes
    this.threads += other.threads
    this.zombies += other.zombies
    if (other.shortProcesses === null) return
    this.shortProcesses = (this.shortProcesses ?? 0) + other.shortProcesses
    this.shortCpuSeconds = (this.shortCpuSeconds ?? 0) + (other.shortCpuSeconds ?? 0)
  }

  told(told: {
    readonly user: string
    readonly account: string | null
    readonly startedAt: number | null
    readonly reservation: Reservation | null
    readonly scheduled?: Scheduled
  }): NodeJob {
    const { kind, id, uid, command, pid } = this.facts
    return {
      kind,
      id,
      ...(Number.isNaN(uid) ? {} : { uid }),
      command,
      pid,
      ...told,
      cpuSeconds: this.cpuSeconds,
      readBytes: this.readBytes,
      writeBytes: this.writeBytes,
      gpuSeconds: this.gpuSeconds,
      joules: this.joules,
      memoryBytes: this.memoryBytes,
      gpuMemoryBytes: this.gpuMemoryBytes,
      gpus: this.cards.size === 0 ? null : this.cards.size,
      processes: this.processes,
      threads: this.threads,
      zombies: this.zombies,
      shortProcesses: this.shortProcesses,
      shortCpuSeconds: this.shortCpuSeconds,
    }
  }
}
