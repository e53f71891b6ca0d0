import type { System } from '../system/system.ts'

/**
 * Our cgroups carry the pid of the jobmeter that made them, and the pid namespace that this is the pid in, so that a later
 * one can tell who is gone; and a random part, for in every container there is a process 2.
 */
const ourName = (): RegExp => /(?:^|\/)jobmeter-(\d+)-\d+(?:-(\d+)-[\da-f]{8})?$/

/** The pid of the jobmeter that made a cgroup of this name; NaN where none of us did. */
export const makerOf = (directory: string): number => Number(ourName().exec(directory)?.[1] ?? NaN)

/** The number of the pid namespace that its maker's pid is in; undefined where the name does not tell. */
export const namespaceOf = (name: string): string | undefined => ourName().exec(name)?.[2]

/** How all cgroups of this process end. */
export const nameEnding = (system: System): string =>
  `${ownNamespace(system)}-${system.randomId().slice(0, 8)}`

export const cgroupName = (pid: number, number: number, ending: string): string =>
  `jobmeter-${pid}-${number}-${ending}`

/** The number of our pid namespace; 0 where the kernel does not tell. */
export function ownNamespace({ files }: System): string {
  const link = files.readLink('/proc/self/ns/pid')
  return (link.kind === 'ok' ? /\d+/.exec(link.value)?.[0] : undefined) ?? '0'
}
