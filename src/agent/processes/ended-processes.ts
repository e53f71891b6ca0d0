import type { Credit } from './account.ts'
import type { EndedProcess } from './ended-process.ts'
import type { ExitRecord, ExitRecords } from './exit-record.ts'
import type { ProcessTable } from './process-table.ts'
import type { SeenProcess } from './seen-process.ts'
import { settle, type Settled } from './settle.ts'

/** A record whose start is this close to that of a process is about that process, and not about another with its pid. */
const sameStartSeconds = 2

/** Matches the processes that vanished from /proc with the records that the kernel sent at their ends. */
export class EndedProcesses {
  readonly #exits: ExitRecords | undefined
  readonly #ticksPerSecond: number
  readonly #credit = new Map<SeenProcess, Credit>()
  /**
   * Records of processes that can still be seen: because only threads of theirs ended, because they ended after the look,
   * or because nobody has waited for them yet. One sum for each process: a server may end threads for as long as it runs.
   */
  readonly #kept = new WeakMap<SeenProcess, ExitSum>()

  constructor(exits: ExitRecords | undefined, ticksPerSecond: number) {
    this.#exits = exits
    this.#ticksPerSecond = ticksPerSecond
  }

  /** To be asked right after the table has looked: what has ended since is of the next round. */
  settle(
    { living, ended }: Pick<ProcessTable, 'living' | 'ended'>,
    bootedAt: number,
  ): { readonly settled: Settled; readonly lost: number } {
    const drained = this.#exits?.drain() ?? { records: [], lost: 0 }
    const byPid = new Map<number, ExitSum>()
    for (const seen of ended) {
      const kept = this.#kept.get(seen)
      if (kept !== undefined) byPid.set(seen.pid, kept)
    }
    for (const record of drained.records) {
      const process = living.get(record.processId)
      if (process !== undefined && this.#isOf(process, record, bootedAt))
        this.#kept.set(process, joined(this.#kept.get(process), record))
      else byPid.set(record.processId, joined(byPid.get(record.processId), record))
    }
    const all: EndedProcess[] = ended.map((seen) => {
      const record = byPid.get(seen.pid) ?? null
      byPid.delete(seen.pid)
      if (record !== null && record.parentPid !== seen.parentPid) {
        const adopter = living.get(record.parentPid)
        if (adopter !== undefined) adopter.adopts = true
      }
      return { pid: seen.pid, parentPid: record?.parentPid ?? seen.parentPid, seen, record }
    })
    for (const [pid, record] of byPid)
      all.push({ pid, parentPid: record.parentPid, seen: null, record })
    return { settled: settle(living, all, this.#credit), lost: drained.lost }
  }

  close(): void {
    this.#exits?.close()
  }

  /** Whether a record is of this process, and not of an earlier one with its pid. */
  #isOf(process: SeenProcess, record: ExitRecord, bootedAt: number): boolean {
    // A pid that was taken at the look before has not been free since, however the clock has been set.
    if (process.looks > 1) return true
    const late = record.startedAt - (bootedAt + process.startTicks / this.#ticksPerSecond)
    // Where nothing tells when the node was booted, `late` is NaN, and the record is taken for one of this process.
    const isThread = record.pid !== record.processId
    return !(late < -sameStartSeconds) && (isThread || !(late > sameStartSeconds))
  }
}

/** One record of all threads of a process. */
type ExitSum = { -readonly [Name in keyof ExitRecord]: ExitRecord[Name] }

/** Adds a record to the sum; what a process's first thread says of it counts. */
function joined(sum: ExitSum | undefined, record: ExitRecord): ExitSum {
  if (sum === undefined) return { ...record }
  if (sum.pid !== sum.processId && record.pid === record.processId)
    return { ...record, ...added(sum, record) }
  return Object.assign(sum, added(sum, record))
}

const added = (one: ExitRecord, other: ExitRecord) => ({
  cpuSeconds: one.cpuSeconds + other.cpuSeconds,
  readBytes: one.readBytes + other.readBytes,
  writeBytes: one.writeBytes + other.writeBytes,
})
