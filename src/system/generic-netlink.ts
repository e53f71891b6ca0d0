import { failed, ok, type Reading } from '../model/reading.ts'
import { errnoName } from './errno-name.ts'
import { loadLibc } from './libc.ts'

/** A socket on which the kernel answers, and tells what happens later. */
export interface GenericNetlink {
  send(request: Uint8Array): boolean
  /** What came next, in an array that the next call uses again; `none` for now; `lost`: something had to be dropped. */
  receive(): Uint8Array | 'none' | 'lost'
  close(): void
}

const AF_NETLINK = 16
const SOCK_RAW_CLOEXEC = 3 | 0o2000000
const NETLINK_GENERIC = 16
const MSG_DONTWAIT = 0x40
const SOL_SOCKET = 1
const SO_RCVBUF = 8
const SO_RCVBUFFORCE = 33
const ENOBUFS = 105
const answerBytes = 64 * 1024

/** `keptBytes`: what the kernel may keep until it is read; all of it only for root. */
export function openGenericNetlink(keptBytes: number): Reading<GenericNetlink> {
  const libc = loadLibc()
  if (libc.kind !== 'ok') return libc
  const { socket, send, recv, setsockopt, close, errno } = libc.value
  const descriptor = socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_GENERIC)
  if (descriptor < 0) return failed(`the kernel gives no netlink socket (${errnoName(errno())})`)
  const size = Buffer.alloc(4)
  size.writeInt32LE(keptBytes)
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, size, size.length) !== 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, size, size.length)
  const buffer = new Uint8Array(answerBytes)
  return ok({
    send: (request) => send(descriptor, request, request.length, MSG_DONTWAIT) === request.length,
    receive() {
      const length = recv(descriptor, buffer, buffer.length, MSG_DONTWAIT)
      if (length > 0) return buffer.subarray(0, length)
      return length < 0 && errno() === ENOBUFS ? 'lost' : 'none'
    },
    close: () => void close(descriptor),
  })
}
