import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from './program.ts'

/** A file system of its own that a test may fill up or make read-only. */
export interface SmallDisk extends Disposable {
  readonly path: string
  /** Leaves not a byte. */
  fill(): void
  free(): void
  makeReadOnly(): void
  makeWritable(): void
}

const missing = whyNoDisk()
if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing)

/** For `describe.skipIf`, with the reason in the name of what is skipped: mounting a disk takes root. */
export const withSmallDisk = {
  isSkipped: missing !== undefined,
  why: missing === undefined ? '' : ` (skipped: ${missing})`,
}

function whyNoDisk(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), 'jobmeter-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', path])
  if (mounted.status === 0) spawnSync('umount', ['-l', path])
  rmSync(path, { recursive: true, force: true })
  return mounted.status === 0 ? undefined : `no small disk: ${String(mounted.stderr).trim()}`
}

/** One of so many kilobytes in the sandbox. */
export function smallDisk(box: Pick<Sandbox, 'directory' | 'path'>, kilobytes: number): SmallDisk {
  const path = box.path('disk')
  mkdirSync(path)
  const { uid, gid } = statSync(box.directory)
  const options = `size=${kilobytes}k,mode=755,uid=${uid},gid=${gid}`
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path])
  if (mounted.status !== 0) throw new Error(`no small disk: ${String(mounted.stderr)}`)
  const filler = `${path}/filler`
  const remount = (how: string): void => {
    const done = spawnSync('mount', ['-o', `remount,${how}`, path], { encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`remount: ${done.stderr}`)
  }
  return {
    path,
    fill() {
      // In large pieces, then in small ones: a write that does not fit fails as a whole.
      for (const size of [2 ** 16, 4096, 1])
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
    },
    free: () => rmSync(filler, { force: true }),
    makeReadOnly: () => remount('ro'),
    makeWritable: () => remount('rw'),
    [Symbol.dispose]: () => void spawnSync('umount', ['-l', path]),
  }
}
