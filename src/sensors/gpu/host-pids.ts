import type { Files } from '../../system/system.ts'

/** The pid namespace in which every process of the machine has its own number. */
const namespaceOfHost = 'pid:[4026531836]'

/** Drivers may name processes by the numbers that the host has for them: whether these are the numbers that we have too. */
export function seesHostPids(files: Files): boolean {
  const namespace = files.readLink('/proc/self/ns/pid')
  return namespace.kind === 'ok' && namespace.value === namespaceOfHost
}

export const foreignPids =
  'processes are listed by pids of the host, which mean nothing in this container; run jobmeter on the host, or with its pids (--pid=host)'
