import { readFileSync, statfsSync } from 'node:fs'

const folder = '/dev/shm'
const tmpfs = 0x01021994
const neededBytes = 4 * 2 ** 30

/**
 * A folder in memory, where this machine has one with room that programs can be started from: for databases of tests, which
 * nobody needs after them.
 */
export function memoryFolder(): string | undefined {
  try {
    const { type, bavail, bsize } = statfsSync(folder)
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const options = mounts.map((line) => line.split(' ')).findLast(([, at]) => at === folder)?.[3]
    const canRun = options !== undefined && !options.split(',').includes('noexec')
    return type === tmpfs && bavail * bsize >= neededBytes && canRun ? folder : undefined
  } catch {
    return undefined
  }
}
