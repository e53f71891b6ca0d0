import type { Files } from '../../system/system.ts'

const deviceFiles = [
  ['/dev', /^nvidia\d+$/],
  ['/dev/dri', /^renderD\d+$/],
] as const

/**
 * Whether a process sees the devices that we see, and numbers them as we do. One in a container may have been given some of
 * them alone, of which the first is its number 0.
 */
export function seesOurDevices(files: Files, pid: number): boolean {
  const [own, other] = ['self', pid].map((process) => files.readLink(`/proc/${process}/ns/mnt`))
  if (own?.kind !== 'ok') return true
  if (other?.kind === 'ok' && other.value === own.value) return true
  const ours = devicesIn(files, '')
  const theirs = devicesIn(files, `/proc/${pid}/root`)
  return theirs !== null && theirs.join() === ours?.join()
}

/** null where it is not ours to look. */
function devicesIn(files: Files, root: string): readonly string[] | null {
  const lists = deviceFiles.map(([directory, isDevice]) => {
    const names = files.list(`${root}${directory}`)
    return names.kind === 'ok' ? names.value.filter((name) => isDevice.test(name)).toSorted() : null
  })
  // A machine need not have /dev/dri, but everybody has /dev.
  return lists[0] === null ? null : lists.flatMap((names) => names ?? [])
}
