import type { Libc } from './libc.ts'

const SOL_SOCKET = 1
const SO_PEERCRED = 17
/** `struct ucred`: pid, uid and gid. */
const credentialBytes = 12

/** Who is at the other end of a socket of this machine, as the kernel knows it; undefined where it does not. */
export function peerUser({ getsockopt }: Libc, descriptor: number): number | undefined {
  const credentials = Buffer.alloc(credentialBytes)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(credentialBytes)
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, credentials, size) !== 0) return undefined
  const uid = credentials.readUInt32LE(4)
  // What the kernel says of who cannot be named here.
  return size.readUInt32LE(0) === credentialBytes && uid !== 0xffff_ffff ? uid : undefined
}
