import { parseStat, ProcessStat } from '../../../../sensors/procfs/stat.ts'
import { statName } from '../../../../sensors/procfs/stat-name.ts'
import { readThreadIds } from '../../../../sensors/procfs/task.ts'
import type { Files } from '../../../../system/system.ts'
import type { Member } from '../../../member.ts'
import { ActiveMembers } from '../active-members.ts'
import type { SeenThread, ThreadTable } from './thread-table.ts'

/** A look reads no more threads than this: 256 files take about 3 ms. */
const mostThreadsPerLook = 256

/** Reads the threads of the processes that did something since the last look, those with most CPU time first. */
export class ThreadReader {
  /** The most threads that a look left out for want of time; their counters were read at later looks, if at all. */
  mostLeftOut = 0
  readonly #files: Files
  readonly #table: ThreadTable
  readonly #buffer = new Uint8Array(1024)
  readonly #stat = new ProcessStat()
  readonly #active = new ActiveMembers()
  /** The look at which a process was last found to have done something. */
  readonly #activeAtLook = new WeakMap<Member, number>()
  /** Where to go on in a process that has more threads than can be read at once. */
  readonly #turns = new Map<number, number>()

  constructor(files: Files, table: ThreadTable) {
    this.#files = files
    this.#table = table
  }

  look(members: ReadonlyMap<number, Member>): void {
    let left = mostThreadsPerLook
    let leftOut = 0
    for (const member of this.#active.since(members)) {
      this.#activeAtLook.set(member, this.#table.look)
      const tids = left > 0 ? this.#threadsOf(member) : undefined
      const there = tids?.length ?? member.threads
      const read = Math.min(left, there)
      if (tids !== undefined) this.#readSome(member.pid, tids, read)
      left -= read
      leftOut += there - read
    }
    this.mostLeftOut = Math.max(this.mostLeftOut, leftOut)
  }

  /** Whether what was read of a thread still holds: its process is there, and did nothing since, or it would have been read again. */
  isThere({ pid, seenAtLook }: SeenThread, members: ReadonlyMap<number, Member>): boolean {
    const member = members.get(pid)
    if (member === undefined || member.zombie) return false
    return this.#activeAtLook.get(member) === seenAtLook
  }

  #threadsOf({ pid, threads }: Member): readonly number[] | undefined {
    if (threads === 1) return [pid]
    const tids = readThreadIds(this.#files, pid)
    return tids.kind === 'ok' ? tids.value : undefined
  }

  #readSome(pid: number, tids: readonly number[], count: number): void {
    const isAll = count >= tids.length
    const first = isAll ? 0 : (this.#turns.get(pid) ?? 0)
    for (let index = 0; index < count; index += 1) {
      const tid = tids[(first + index) % tids.length]
      if (tid !== undefined) this.#read(pid, tid)
    }
    if (!isAll) this.#turns.set(pid, (first + count) % tids.length)
  }

  #read(pid: number, tid: number): void {
    const descriptor = this.#files.open(`/proc/${pid}/task/${tid}/stat`)
    if (descriptor < 0) return
    const length = this.#files.read(descriptor, this.#buffer)
    this.#files.close(descriptor)
    if (length <= 0 || !parseStat(this.#buffer, length, this.#stat)) return
    this.#table.note(pid, tid, this.#stat, statName(this.#buffer, length))
  }
}
