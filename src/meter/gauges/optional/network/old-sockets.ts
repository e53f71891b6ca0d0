import type { TcpSocket } from '../../../../sensors/netlink/inet-diag.ts'

/**
 * All sockets of the machine at the first look at a job that was running already, whosever they are: one of the job's may be
 * found much later. One that is not among them is new, and all that goes through it counts.
 */
export class OldSockets {
  readonly #byCookie = new Map<string, TcpSocket>()
  /** Those that the last answer left out. */
  #missed = new Set<string>()
  /** Those that this one leaves out: the two take turns, for a machine may have many sockets at every look. */
  #missedNow = new Set<string>()

  get size(): number {
    return this.#byCookie.size
  }

  add(socket: TcpSocket): void {
    this.#byCookie.set(socket.cookie, socket)
  }

  /** What had gone through it by then; undefined for one that is new. */
  before(cookie: string): TcpSocket | undefined {
    return this.#byCookie.get(cookie)
  }

  /**
   * Lets go of those that two answers in a row left out: they are closed. The kernel answers in parts, and where sockets are
   * closed in between it passes over others that are open. Taken for new, one would bring all that ever went through it.
   */
  keepOnly(open: ReadonlySet<string>): void {
    const missed = this.#missedNow
    for (const cookie of this.#byCookie.keys())
      if (!open.has(cookie))
        if (this.#missed.has(cookie)) this.#byCookie.delete(cookie)
        else missed.add(cookie)
    this.#missedNow = this.#missed
    this.#missedNow.clear()
    this.#missed = missed
  }
}
