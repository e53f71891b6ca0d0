import { failed, ok, type Reading } from '../model/reading.ts'
import { errnoName } from './errno-name.ts'
import { loadLibc } from './libc.ts'

/** A conversation with the kernel about sockets (sock_diag(7)). */
export interface SocketDiagnostics {
  /** Sends a request. */
  send(request: Uint8Array): boolean
  /** The next answer, in an array that the next call uses again; undefined where there is none. */
  receive(): Uint8Array | undefined
  close(): void
}

const AF_NETLINK = 16
const SOCK_RAW_CLOEXEC = 3 | 0o2000000
const NETLINK_SOCK_DIAG = 4
/** The kernel has its answer ready when the request returns. */
const MSG_DONTWAIT = 0x40
const answerBytes = 64 * 1024

/** Needs libc; nothing else in jobmeter talks to the kernel this way, so it is bound only here. */
export function openSocketDiagnostics(): Reading<SocketDiagnostics> {
  const libc = loadLibc()
  if (libc.kind !== 'ok') return libc
  const { socket, send, recv, close, errno } = libc.value
  const descriptor = socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG)
  if (descriptor < 0)
    return failed(`the kernel gives no socket diagnostics (${errnoName(errno())})`)
  const buffer = new Uint8Array(answerBytes)
  return ok({
    send: (request) => send(descriptor, request, request.length, MSG_DONTWAIT) === request.length,
    receive() {
      const length = recv(descriptor, buffer, buffer.length, MSG_DONTWAIT)
      return length > 0 ? buffer.subarray(0, length) : undefined
    },
    close: () => void close(descriptor),
  })
}
