import type { Files } from '../../system/system.ts'

/**
 * What the kernel calls the network namespace of a process, such as net:[4026532281]; undefined where the process has ended,
 * and for those of other users, which only root may ask.
 */
export function readNetworkNamespace(files: Files, pid: number | 'self'): string | undefined {
  const link = files.readLink(`/proc/${pid}/ns/net`)
  return link.kind === 'ok' ? link.value : undefined
}

/**
 * Whether a process is in the network namespace whose /proc/PID/net/dev is open there; undefined where that may not be
 * looked at. This can be told of the processes of all users: each namespace has one such file, which is the same one by
 * whatever process it is reached.
 */
export function isInNamespaceOf(
  files: Files,
  netDevDescriptor: number,
  pid: number,
): boolean | undefined {
  return files.lookAt(netDevDescriptor, `/proc/${pid}/net/dev`)?.isInPlace
}
