/** What the kernel's socket diagnostics (sock_diag(7)) tell of one TCP socket. */
export interface TcpSocket {
  /** As the links in /proc/PID/fd have it; 0 once no process has it open. */
  readonly inode: number
  /** Tells it from every other socket since the machine was started. */
  readonly cookie: string
  /** Since it was connected. */
  readonly sentBytes: number
  readonly receivedBytes: number
}

const headerBytes = 16
const messageBytes = 72
const isError = 2
const isDone = 3
/** TCPDIAG_GETSOCK */
const isSocket = 18
const anyFamily = 2
/** INET_DIAG_INFO, which carries `struct tcp_info`. */
const infoAttribute = 2
/** Where Linux has `tcpi_bytes_acked` and, behind it, `tcpi_bytes_received`, since 4.1. */
const ackedOffset = 120
/** And `tcpi_bytes_sent` with, behind it, `tcpi_bytes_retrans`, since 4.19: data alone. */
const sentOffset = 200

/**
 * Asks for all TCP sockets in our network namespace, with their counters. In the older form of the request
 * (TCPDIAG_GETSOCK): it answers for IPv4 and IPv6 at once, and the kernel walks its table once, which is most of the cost.
 */
export function inetDiagRequest(): Uint8Array {
  const dump = 0x301
  const everyStateButListening = 0xfff & ~(1 << 10)
  const bytes = new Uint8Array(headerBytes + 60)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, bytes.length, true)
  view.setUint16(4, isSocket, true)
  view.setUint16(6, dump, true)
  view.setUint8(headerBytes, anyFamily)
  view.setUint8(headerBytes + 3, 1 << (infoAttribute - 1))
  view.setUint32(headerBytes + 52, everyStateButListening, true)
  return bytes
}

/**
 * Reads one answer, which holds several messages. `done`: there is no more; `failed`: the kernel refused, or this is not
 * what it writes.
 */
export function parseInetDiag(bytes: Uint8Array, into: TcpSocket[]): 'more' | 'done' | 'failed' {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  while (at + headerBytes <= bytes.length) {
    const length = view.getUint32(at, true)
    const type = view.getUint16(at + 4, true)
    if (type === isDone) return 'done'
    if (type === isError || length < headerBytes || at + length > bytes.length) return 'failed'
    if (type === isSocket) {
      const socket = socketIn(new DataView(bytes.buffer, bytes.byteOffset + at, length))
      if (socket !== undefined) into.push(socket)
    }
    at += aligned(length)
  }
  return at === 0 ? 'failed' : 'more'
}

/** A message of one socket; undefined where it carries no counters, as for one that is closing. */
function socketIn(view: DataView): TcpSocket | undefined {
  let at = headerBytes + messageBytes
  if (view.byteLength < at) return undefined
  const cookie = `${view.getUint32(headerBytes + 44, true)}.${view.getUint32(headerBytes + 48, true)}`
  const inode = view.getUint32(at - 4, true)
  while (at + 4 <= view.byteLength) {
    const length = view.getUint16(at, true)
    if (length < 4 || at + length > view.byteLength) return undefined
    if (view.getUint16(at + 2, true) === infoAttribute) {
      const counters = at + 4 + ackedOffset
      if (counters + 16 > at + length) return undefined
      const receivedBytes = Number(view.getBigUint64(counters + 8, true))
      return { inode, cookie, sentBytes: sentIn(view, at + 4, at + length), receivedBytes }
    }
    at += aligned(length)
  }
  return undefined
}

/** What was sent, each byte once, of the `struct tcp_info` between two places. */
function sentIn(view: DataView, at: number, end: number): number {
  if (at + sentOffset + 16 <= end) {
    const sent = view.getBigUint64(at + sentOffset, true)
    return Math.max(0, Number(sent - view.getBigUint64(at + sentOffset + 8, true)))
  }
  // In what was acknowledged, the beginning and the end of a connection may be a byte each: more than was sent is not to be told.
  return Math.max(0, Number(view.getBigUint64(at + ackedOffset, true)) - 2)
}

const aligned = (length: number): number => (length + 3) & ~3
