import type { TcpSocket } from '../../../../sensors/netlink/inet-diag.ts'

interface Counted {
  sentBytes: number
  receivedBytes: number
}

const nothing: Readonly<Counted> = { sentBytes: 0, receivedBytes: 0 }

/** Sockets that were closed are summed up when there are so many. */
const mostKept = 4096

/** What went through the TCP sockets of a job: of each, as of the last time it was seen open. */
export class SocketTotals {
  sentBytes = 0
  receivedBytes = 0
  #byCookie = new Map<string, Counted>()

  /** `before`: what had gone through it before the job was watched, which is not the job's. */
  note(socket: TcpSocket, before: Readonly<Counted> = nothing): void {
    const known = this.#byCookie.get(socket.cookie) ?? this.#begin(socket, before)
    this.sentBytes += Math.max(0, socket.sentBytes - known.sentBytes)
    this.receivedBytes += Math.max(0, socket.receivedBytes - known.receivedBytes)
    known.sentBytes = Math.max(known.sentBytes, socket.sentBytes)
    known.receivedBytes = Math.max(known.receivedBytes, socket.receivedBytes)
  }

  has(cookie: string): boolean {
    return this.#byCookie.has(cookie)
  }

  /** Lets go of those that are not among these: they are closed, and what went through them is counted. */
  keepOnly(open: ReadonlySet<string>): void {
    if (this.#byCookie.size <= mostKept) return
    this.#byCookie = new Map([...this.#byCookie].filter(([cookie]) => open.has(cookie)))
  }

  #begin({ cookie }: TcpSocket, { sentBytes, receivedBytes }: Readonly<Counted>): Counted {
    const begun = { sentBytes, receivedBytes }
    this.#byCookie.set(cookie, begun)
    return begun
  }
}
