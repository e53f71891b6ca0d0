import { readFileSync } from 'node:fs'
import { availableParallelism, homedir, hostname, release, userInfo } from 'node:os'
import type { Libc } from './libc.ts'
import type { Host } from './system.ts'

const SC_CLK_TCK = 2
const SC_PAGESIZE = 30
const SC_OPEN_MAX = 4

export function realHost(libc: Libc | undefined): Host {
  const openMax = libc?.sysconf(SC_OPEN_MAX) ?? 1024
  return {
    name: hostname(),
    kernel: release(),
    homeDirectory: homeDirectory(),
    ...account(),
    bootId: firstLine('/proc/sys/kernel/random/boot_id'),
    cores: availableParallelism(),
    onlineCores: onlineCores() ?? availableParallelism(),
    // Without libc: 100 and 4096 hold on every x86-64 and most other Linux machines.
    ticksPerSecond: libc?.sysconf(SC_CLK_TCK) ?? 100,
    pageBytes: libc?.sysconf(SC_PAGESIZE) ?? 4096,
    mostDescriptors: openMax,
    // A quarter of what we may open, so that databases, logs and children's files always fit.
    keptDescriptors: Math.min(8192, Math.floor(openMax / 4)),
  }
}

/**
 * Of a user whom nobody gave one, a place where nothing can be made, not even by root. Under /dev/null something can be, in
 * a chroot that has none.
 */
function homeDirectory(): string {
  for (const find of [homedir, () => userInfo().homedir])
    try {
      const found = find()
      if (found.startsWith('/')) return found
    } catch {
      // A container may run a uid that /etc/passwd does not know.
    }
  return '/proc'
}

function account(): Pick<Host, 'user' | 'accountHomeDirectory'> {
  try {
    const { username, homedir: home } = userInfo()
    return { user: username, accountHomeDirectory: home }
  } catch {
    // A container may run a uid that /etc/passwd does not know.
    return { user: String(process.getuid?.() ?? 'unknown'), accountHomeDirectory: homeDirectory() }
  }
}

function firstLine(path: string): string {
  try {
    return readFileSync(path, 'latin1').split('\n', 1)[0] ?? ''
  } catch {
    return ''
  }
}

/** From a list of ranges such as `0-3,8-11`; `os.cpus()` would read the speed of every core, 1 ms on large nodes. */
function onlineCores(): number | undefined {
  const ranges = firstLine('/sys/devices/system/cpu/online').split(',')
  let count = 0
  for (const range of ranges) {
    const [first, last = first] = range.split('-').map(Number)
    if (first === undefined || last === undefined || !(last >= first)) return undefined
    count += last - first + 1
  }
  return count
}
