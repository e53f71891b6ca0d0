import type { ImportedJob } from '../../model/imported-round.ts'
import { BadRecord } from '../bad-record.ts'
import {
  processKey,
  usedSince,
  type CounterName,
  type Counted,
  type HostCounters,
  type KnownJob,
} from './counters.ts'
import type { SonarJob, SonarProcess, SonarSample } from './sample.ts'

export interface SpanView {
  readonly seconds: number
  /** That a process can have used in this time. */
  readonly mostCpuSeconds: number
  readonly before: HostCounters['processes']
  readonly known: HostCounters['jobs']
}

interface Member {
  readonly key: string
  readonly process: SonarProcess
}

interface Gathered {
  readonly job: SonarJob
  readonly told: KnownJob
  readonly members: Member[]
}

type Owed = ReadonlyMap<number, Record<CounterName, number>> | null
const mostKib = Number.MAX_SAFE_INTEGER

/** Groups the processes of a sample into jobs, and adds up what each used since the sample before. */
export class JobSums {
  readonly #sample: SonarSample
  readonly #view: SpanView
  readonly #jobs = new Map<string, Gathered>()
  readonly #sameKeys = new Map<string, number>()
  /** For the next sample. */
  readonly counted = new Map<string, Counted>()
  readonly known = new Map<string, KnownJob>()

  constructor(sample: SonarSample, view: SpanView) {
    this.#sample = sample
    this.#view = view
    for (const job of sample.jobs) this.#gather(job)
  }

  get keys(): ReadonlySet<string> {
    return new Set(this.counted.keys())
  }

  jobs(owed: Owed): ImportedJob[] {
    return [...this.#jobs.values()].map((gathered) => this.#told(gathered, owed))
  }

  #gather(job: SonarJob): void {
    const shared = `${job.kind} ${job.id} ${job.epoch ?? ''}`
    // Processes of others in the same job are a job of their owner, so that sums by user are right.
    const key = `${shared} ${job.user}`
    const gathered = this.#jobs.get(key) ?? this.#begin(job, key)
    for (const process of job.processes) {
      // Whoever it belongs to now: a process that changes its user is still the same.
      const unique = this.#uniqueKey(processKey(shared, process), process.pid)
      gathered.members.push({ key: unique, process })
      const { pid, parentPid, cpuSeconds, readKib, writtenKib } = process
      this.counted.set(unique, { pid, parentPid, cpuSeconds, readKib, writtenKib })
    }
  }

  /** Several without a pid may have the same name: they are told apart by their order. */
  #uniqueKey(key: string, pid: number): string {
    const others = this.#sameKeys.get(key) ?? 0
    if (others > 0 && pid > 0) throw new BadRecord('it tells of a process twice', `pid ${pid}`)
    this.#sameKeys.set(key, others + 1)
    return others === 0 ? key : `${key} ${others}`
  }

  #begin(job: SonarJob, key: string): Gathered {
    const told = this.#view.known.get(key) ?? {
      epoch: job.epoch ?? `seen ${new Date(this.#sample.at * 1e3).toISOString()}`,
      user: job.user,
      command: leaderOf(job),
    }
    const gathered = { job, told, members: [] }
    this.#jobs.set(key, gathered)
    this.known.set(key, told)
    return gathered
  }

  #told({ job, told, members }: Gathered, owed: Owed): ImportedJob {
    const used = (name: CounterName, most: number): number | null =>
      sumOf(members, ({ key, process }) =>
        this.#view.seconds === 0
          ? null
          : usedSince(process[name], this.#view.before.get(key)?.[name], {
              owed: process.pid > 0 ? (owed?.get(process.pid)?.[name] ?? 0) : 0,
              most: most + process.processes,
              isGroup: process.pid === 0 || process.processes > 1,
            }),
      )
    const bytes = (kib: number | null): number | null => (kib === null ? null : kib * 1024)
    const share = sumOf(members, ({ process }) => process.gpuShare)
    const cards = new Set(members.flatMap(({ process }) => process.cards))
    const { seconds, mostCpuSeconds } = this.#view
    return {
      kind: job.kind,
      id: job.id,
      epoch: told.epoch,
      user: job.user,
      account: null,
      command: told.command,
      startedAt: null,
      reservation: null,
      gpus: share === null ? null : cards.size,
      pid: members.find(({ process }) => process.pid > 0)?.process.pid ?? null,
      cpuSeconds: used('cpuSeconds', mostCpuSeconds),
      readBytes: bytes(used('readKib', mostKib)),
      writeBytes: bytes(used('writtenKib', mostKib)),
      gpuSeconds: share === null || seconds === 0 ? null : share * seconds,
      joules: null,
      memoryBytes: bytes(sumOf(members, ({ process }) => process.memoryKib)),
      gpuMemoryBytes: bytes(sumOf(members, ({ process }) => process.gpuMemoryKib)),
      processes: sumOf(members, ({ process }) => process.processes),
      threads: sumOf(members, ({ process }) => process.threads),
      zombies: sumOf(members, ({ process }) => (process.isZombie ? process.processes : 0)),
    }
  }
}

/** Null where none of them has it. */
const sumOf = (
  members: readonly Member[],
  valueOf: (member: Member) => number | null,
): number | null =>
  members.reduce<number | null>((sum, member) => {
    const value = valueOf(member)
    return value === null ? sum : (sum ?? 0) + value
  }, null)

/** The process that the group is named after, else one that no other of the job has started. */
function leaderOf({ id, processes }: SonarJob): string {
  const pids = new Set(processes.map(({ pid }) => pid))
  const leader =
    processes.find(({ pid }) => String(pid) === id) ??
    processes.find(({ parentPid }) => !pids.has(parentPid)) ??
    processes[0]
  return leader?.command ?? 'unknown'
}
