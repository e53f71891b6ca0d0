import { whyNot, type Reading } from '../../../../model/reading.ts'
import {
  inetDiagRequest,
  parseInetDiag,
  type TcpSocket,
} from '../../../../sensors/netlink/inet-diag.ts'
import { readSocketInodes } from '../../../../sensors/procfs/socket-inodes.ts'
import type { SocketDiagnostics } from '../../../../system/socket-diagnostics.ts'
import type { System } from '../../../../system/system.ts'
import type { Member } from '../../../member.ts'
import { SocketTotals } from './socket-totals.ts'

/** A look follows no more links of /proc/PID/fd than this: they take about 2 µs each. */
const mostFilesPerLook = 2048
/** No answer of a machine with a million sockets has more parts. */
const mostAnswers = 10_000
/** The kernel's list is asked for so seldom that it takes no more than a hundredth of the time. */
const spacing = 100
/** Of so many looks, one asks again about sockets that were not TCP. */
const seldomLooks = 10

/**
 * The TCP sockets of a job, by the kernel's diagnostics: they name a socket by its inode, and the links of
 * /proc/PID/fd tell whose that is. What a socket moved between the last look at it and its end is not seen.
 */
export class JobSockets {
  readonly totals = new SocketTotals()
  readonly #system: System
  readonly #open: () => Reading<SocketDiagnostics>
  readonly #countsFromNow: boolean
  readonly #inodes = new Set<number>()
  /** Sockets that we had open before the job began, and that it may have inherited. */
  readonly #ours = new Set<number>()
  #diagnostics: Reading<SocketDiagnostics> | undefined
  /** Sockets of the job, of whatever kind, when the kernel was last asked; and how many of them were TCP. */
  #asked = { inodes: 0, tcp: 0 }
  #why: string | null = null
  #looks = 0
  #nextAt = -Infinity

  constructor(system: System, open: () => Reading<SocketDiagnostics>, countsFromNow: boolean) {
    this.#system = system
    this.#open = open
    this.#countsFromNow = countsFromNow
    readSocketInodes(system.files, 'self', mostFilesPerLook, this.#ours)
  }

  /** Why there are no figures; null where there are. */
  get why(): string | null {
    return this.#looks === 0 && this.#why === null ? 'it ended before the first look' : this.#why
  }

  /** `active`: those that did something since the last look, and may have opened sockets. */
  look(active: readonly Member[]): void {
    const { clock } = this.#system
    const began = clock.monotonicSeconds()
    if (this.#why !== null) return
    this.#findInodes(active)
    if (began < this.#nextAt) return
    const sockets = this.#list()
    if (sockets === undefined) return
    if (sockets.length > 0 || this.#inodes.size > this.#asked.inodes)
      this.#asked = { inodes: this.#inodes.size, tcp: this.#note(sockets) }
    this.#looks += 1
    this.#nextAt = began + (clock.monotonicSeconds() - began) * spacing
  }

  close(): void {
    if (this.#diagnostics?.kind === 'ok') this.#diagnostics.value.close()
  }

  /** Answers how many of them are the job's. */
  #note(sockets: readonly TcpSocket[]): number {
    const open = new Set<string>()
    let own = 0
    for (const socket of sockets) {
      open.add(socket.cookie)
      if (!this.#inodes.has(socket.inode) && !this.totals.has(socket.cookie)) continue
      own += 1
      this.totals.note(socket, this.#countsFromNow && this.#looks === 0)
    }
    this.totals.keepOnly(open)
    return own
  }

  #findInodes(active: readonly Member[]): void {
    let left = mostFilesPerLook
    for (const { pid } of active) {
      if (left <= 0) break
      left -= readSocketInodes(this.#system.files, pid, left, this.#inodes)
    }
    for (const inode of this.#ours) this.#inodes.delete(inode)
  }

  /**
   * The kernel walks a table of all sockets there can be: not for a job that has none, and seldom for one whose sockets
   * are all of other kinds. One that is connected later is found a little later, with all that went through it.
   */
  get #isWorthAsking(): boolean {
    const { inodes, tcp } = this.#asked
    return this.#inodes.size > inodes || tcp > 0 || (inodes > 0 && this.#looks % seldomLooks === 0)
  }

  #list(): readonly TcpSocket[] | undefined {
    const opened = (this.#diagnostics ??= this.#open())
    const sockets: TcpSocket[] = []
    if (opened.kind !== 'ok') this.#why = whyNot(opened)
    else if (this.#isWorthAsking && !listAll(opened.value, sockets))
      this.#why = 'the kernel does not answer questions about sockets (inet_diag)'
    return this.#why === null ? sockets : undefined
  }
}

function listAll(diagnostics: SocketDiagnostics, into: TcpSocket[]): boolean {
  if (!diagnostics.send(inetDiagRequest())) return false
  for (let answers = 0; answers < mostAnswers; answers += 1) {
    const answer = diagnostics.receive()
    const state = answer === undefined ? 'failed' : parseInetDiag(answer, into)
    if (state !== 'more') return state === 'done'
  }
  return false
}
