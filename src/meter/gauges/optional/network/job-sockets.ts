import { whyNot, type Reading } from '../../../../model/reading.ts'
import {
  inetDiagRequest,
  parseInetDiag,
  type TcpSocket,
} from '../../../../sensors/netlink/inet-diag.ts'
import { addSocketInodes, listOpenFiles } from '../../../../sensors/procfs/socket-inodes.ts'
import type { SocketDiagnostics } from '../../../../system/socket-diagnostics.ts'
import type { System } from '../../../../system/system.ts'
import type { Member } from '../../../member.ts'
import { OldSockets } from './old-sockets.ts'
import { SocketHolders } from './socket-holders.ts'
import { SocketTotals } from './socket-totals.ts'

/** Of ourselves no more links of /proc/self/fd are followed than this: what a job can inherit has the lowest numbers. */
const mostOwnFiles = 2048
/**
 * When so many were found, they are forgotten: most of them were closed, and the kernel gives their numbers away again. TCP
 * sockets that it told of are known by their cookies from then on, and what else is still open is found at the next listing.
 */
const mostInodes = 65_536
/** No answer of a machine with a million sockets has more parts. */
const mostAnswers = 10_000
/** The kernel's list is asked for so seldom that it takes no more than a hundredth of the time. */
const spacing = 100
/** No more than a thousandth for a job none of whose sockets was TCP: one of them may have been connected since. */
const idleSpacing = 1000

/**
 * The TCP sockets of a job, by the kernel's diagnostics: they name a socket by its inode, and the links of
 * /proc/PID/fd tell whose that is. What a socket moved between the last look at it and its end is not seen.
 */
export class JobSockets {
  readonly totals = new SocketTotals()
  readonly #system: System
  readonly #open: () => Reading<SocketDiagnostics>
  readonly #countsFromNow: boolean
  readonly #holders: SocketHolders
  readonly #inodes = new Set<number>()
  readonly #old = new OldSockets()
  /** Sockets that we had open before the job began, and that it may have inherited. */
  readonly #ours = new Set<number>()
  #diagnostics: Reading<SocketDiagnostics> | undefined
  /** Sockets of the job, of whatever kind, when the kernel was last asked; and how many of them were TCP. */
  #asked = { inodes: 0, tcp: 0 }
  #why: string | null = null
  #looks = 0
  /** A process has run since the kernel was last asked: only then can it have connected a socket that it had. */
  #hasNews = false
  #askedAt = -Infinity
  /** The less of the last two times that the kernel took to answer. The first also loads its module: it says nothing. */
  #answerSeconds = 0
  #lastAnswerSeconds = 0

  constructor(system: System, open: () => Reading<SocketDiagnostics>, countsFromNow: boolean) {
    this.#system = system
    this.#open = open
    this.#countsFromNow = countsFromNow
    this.#holders = new SocketHolders(system.files)
    const own = listOpenFiles(system.files, 'self').toSorted((a, b) => Number(a) - Number(b))
    const most = Math.min(own.length, mostOwnFiles)
    addSocketInodes(system.files, 'self', own, 0, most, this.#ours)
  }

  /** Whether files of processes that may have connected had to wait for a later look. */
  get wasShort(): boolean {
    return this.#holders.wasShort
  }

  /** Why there are no figures; null where there are. */
  get why(): string | null {
    return this.#looks === 0 && this.#why === null ? 'it ended before the first look' : this.#why
  }

  /** `active`: those that did something since the last look, the busiest first. Those that are elsewhere have other sockets. */
  look(
    active: readonly Member[],
    members: ReadonlyMap<number, Member>,
    isElsewhere: (member: Member) => boolean,
  ): void {
    if (this.#why !== null) return
    if (this.#holders.find(active, members, isElsewhere, this.#inodes)) this.#hasNews = true
    for (const inode of this.#ours) this.#inodes.delete(inode)
    const opened = (this.#diagnostics ??= this.#open())
    if (opened.kind !== 'ok') this.#why = whyNot(opened)
    else if (!this.#ask(opened.value))
      this.#why = 'the kernel does not answer questions about sockets (inet_diag)'
    if (this.#why !== null) return
    this.#looks += 1
  }

  close(): void {
    if (this.#diagnostics?.kind === 'ok') this.#diagnostics.value.close()
  }

  /** Whether what went through all sockets until now is not the job's. */
  get #isToCountFromHere(): boolean {
    return this.#countsFromNow && this.#looks === 0
  }

  /** Answers how many of them are the job's. */
  #note(sockets: readonly TcpSocket[]): number {
    const open = new Set<string>()
    let own = 0
    const areOld = this.#isToCountFromHere
    for (const socket of sockets) {
      open.add(socket.cookie)
      if (areOld) this.#old.add(socket)
      if (!this.#inodes.has(socket.inode) && !this.totals.has(socket.cookie)) continue
      own += 1
      this.totals.note(socket, this.#old.before(socket.cookie))
    }
    this.totals.keepOnly(open)
    this.#old.keepOnly(open)
    return own
  }

  /**
   * The kernel walks a table of all sockets there can be: not for a job that has none, and seldom for one whose sockets
   * are all of other kinds. One that is connected later is found a little later, with all that went through it. At the first
   * look at a job that was running it is asked in any case: later nothing would tell which sockets are older.
   */
  #isWorthAsking(now: number): boolean {
    if (this.#isToCountFromHere) return true
    const { inodes, tcp } = this.#asked
    const waited = now - this.#askedAt
    if (tcp > 0 || this.#inodes.size > inodes) return waited >= this.#answerSeconds * spacing
    return inodes > 0 && this.#hasNews && waited >= this.#answerSeconds * idleSpacing
  }

  #ask(diagnostics: SocketDiagnostics): boolean {
    const { clock } = this.#system
    const began = clock.monotonicSeconds()
    if (!this.#isWorthAsking(began)) return true
    const sockets: TcpSocket[] = []
    if (!listAll(diagnostics, sockets)) return false
    const seconds = clock.monotonicSeconds() - began
    this.#answerSeconds = Math.min(seconds, this.#lastAnswerSeconds)
    this.#lastAnswerSeconds = seconds
    this.#askedAt = began
    this.#hasNews = false
    const tcp = this.#note(sockets)
    if (this.#inodes.size > mostInodes) this.#inodes.clear()
    this.#asked = { inodes: this.#inodes.size, tcp }
    return true
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
