import { seesOurDevices } from '../../../sensors/gpu/visible-devices.ts'
import type { Files } from '../../../system/system.ts'

const numbersOf = {
  CUDA: /^CUDA_VISIBLE_DEVICES=\s*\d+\s*(,|$)/,
  ROCm: /^(ROCR|HIP)_VISIBLE_DEVICES=\s*\d+\s*(,|$)/,
} as const

/**
 * The environment of a process, as `/proc` has it; empty where it is not ours to read. What it names by numbers is left out if
 * it sees other devices than we do: they may be any of ours.
 */
export function environmentOf(files: Files, pid: number): string {
  const environ = files.readText(`/proc/${pid}/environ`)
  if (environ.kind !== 'ok') return ''
  let entries = environ.value.split('\0')
  for (const by of ['CUDA', 'ROCm'] as const) {
    const namesNumbers = (entry: string): boolean => numbersOf[by].test(entry)
    if (entries.some(namesNumbers) && !seesOurDevices(files, pid, by))
      entries = entries.filter((entry) => !namesNumbers(entry))
  }
  return entries.join('\0')
}
