import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import { errnoName } from './errno-name.ts'
import { loadLibc, type Libc } from './libc.ts'
import { peerUser } from './peer-user.ts'

const AF_UNIX = 1
const SOCK_STREAM_CLOEXEC = 1 | 0o2000000
const SOL_SOCKET = 1
const SO_RCVTIMEO = 20
const SO_SNDTIMEO = 21
const MSG_NOSIGNAL = 0x4000
/** `sun_path`, with the zero at its end. */
const longestPath = 107
const piece = 65_536

interface Asked {
  /** Who must be listening; somebody else there is told nothing, and not believed. */
  readonly peer: number
  readonly waitSeconds: number
  readonly mostBytes: number
}

/**
 * Sends a request to whoever listens on a socket of this machine, and waits for all of the answer. `unavailable`: nobody
 * listens there.
 */
export function askSocket(path: string, request: Uint8Array, asked: Asked): Reading<Buffer> {
  const libc = loadLibc()
  if (libc.kind !== 'ok') return libc
  const { socket, close, errno } = libc.value
  if (Buffer.byteLength(path) > longestPath || path.includes('\0'))
    return failed(`${path} is too long for a socket`)
  const descriptor = socket(AF_UNIX, SOCK_STREAM_CLOEXEC, 0)
  if (descriptor < 0) return failed(`the kernel gives no socket (${errnoName(errno())})`)
  try {
    return converse(libc.value, descriptor, path, request, asked)
  } finally {
    close(descriptor)
  }
}

function converse(
  libc: Libc,
  descriptor: number,
  path: string,
  request: Uint8Array,
  { peer, waitSeconds, mostBytes }: Asked,
): Reading<Buffer> {
  const { connect, send, setsockopt, errno } = libc
  const wait = Buffer.alloc(16)
  wait.writeBigInt64LE(BigInt(waitSeconds))
  for (const option of [SO_RCVTIMEO, SO_SNDTIMEO])
    setsockopt(descriptor, SOL_SOCKET, option, wait, wait.length)
  const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), Buffer.from(`${path}\0`)])
  if (connect(descriptor, address, address.length) !== 0)
    return unavailable(`nobody answers at ${path} (${errnoName(errno())})`)
  if (peerUser(libc, descriptor) !== peer)
    return failed(`${path} is not the agent's: somebody else listens there`)
  for (let at = 0; at < request.length;) {
    const sent = send(descriptor, request.subarray(at), request.length - at, MSG_NOSIGNAL)
    // Who refuses at once closes before it has read everything, and has said why.
    if (sent <= 0) break
    at += sent
  }
  return receiveAll(libc, descriptor, mostBytes)
}

function receiveAll({ recv, errno }: Libc, descriptor: number, mostBytes: number): Reading<Buffer> {
  const pieces: Buffer[] = []
  for (let length = 0; length <= mostBytes;) {
    const into = Buffer.allocUnsafe(piece)
    const received = recv(descriptor, into, into.length, 0)
    if (received === 0) return ok(Buffer.concat(pieces))
    if (received < 0) return failed(`the agent did not answer (${errnoName(errno())})`)
    pieces.push(into.subarray(0, received))
    length += received
  }
  return failed(`the answer is longer than ${mostBytes} bytes; ask for less time`)
}
