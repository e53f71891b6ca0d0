import type { Files } from '../../system/system.ts'

/** The files by which a process opens cards: NVIDIA's, and those of all others. */
const deviceFiles = {
  nvidia: ['/dev', /^nvidia\d+$/],
  render: ['/dev/dri', /^renderD\d+$/],
} as const

/**
 * Whether a process sees the devices that we see, and numbers them as we do. One in a container may have been given some of
 * them alone, of which the first is its number 0. `by`: whose numbers these are. CUDA's are AMD's where no card is NVIDIA's.
 */
export function seesOurDevices(files: Files, pid: number, by: 'CUDA' | 'ROCm'): boolean {
  const [own, other] = ['self', pid].map((process) => files.readLink(`/proc/${process}/ns/mnt`))
  if (own?.kind !== 'ok') return true
  if (other?.kind === 'ok' && other.value === own.value) return true
  const isNvidia = by === 'CUDA' && devicesIn(files, '', 'nvidia')?.length !== 0
  // A container may well have no render nodes of the same cards, or more than these.
  const kind = isNvidia ? 'nvidia' : 'render'
  const theirs = devicesIn(files, `/proc/${pid}/root`, kind)
  return theirs !== null && theirs.join() === devicesIn(files, '', kind)?.join()
}

/** null where it is not ours to look. */
function devicesIn(
  files: Files,
  root: string,
  kind: keyof typeof deviceFiles,
): readonly string[] | null {
  const [directory, isDevice] = deviceFiles[kind]
  const names = files.list(`${root}${directory}`)
  if (names.kind === 'ok') return names.value.filter((name) => isDevice.test(name)).toSorted()
  // A machine need not have /dev/dri, but everybody has /dev.
  return directory === '/dev' || files.list(`${root}/dev`).kind !== 'ok' ? null : []
}
