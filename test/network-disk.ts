import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bindfs = '/usr/bin/bindfs'

/** A machine without FUSE cannot show such a disk; that is no fault of the set-up. */
export const canHaveFuse = process.getuid?.() === 0 && isWritable('/dev/fuse')
export const hasBindfs = (): boolean => existsSync(bindfs)

/** A folder on a disk of the kind that several machines may share. The kernel tells it from a local one by nothing else. */
export interface NetworkDisk extends Disposable {
  readonly path: string
}

export function networkDisk(): NetworkDisk {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-disk-'))
  const [real, path] = [join(directory, 'real'), join(directory, 'shown')]
  mkdirSync(real)
  mkdirSync(path)
  const mounted = spawnSync(bindfs, [real, path], { encoding: 'utf8' })
  if (mounted.status !== 0) throw new Error(`bindfs: ${mounted.stderr}`)
  return {
    path,
    [Symbol.dispose]: () => {
      spawnSync('umount', ['-l', path])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
