import { seesOurDevices } from '../../../sensors/gpu/visible-devices.ts'
import type { Files } from '../../../system/system.ts'

const namesNumbers = /^(CUDA|ROCR|HIP)_VISIBLE_DEVICES=\s*\d+\s*(,|$)/

/**
 * The environment of a process, as `/proc` has it; empty where it is not ours to read. What it names by numbers is left out if
 * it sees other devices than we do: they may be any of ours.
 */
export function environmentOf(files: Files, pid: number): string {
  const environ = files.readText(`/proc/${pid}/environ`)
  if (environ.kind !== 'ok') return ''
  const entries = environ.value.split('\0')
  if (!entries.some((entry) => namesNumbers.test(entry)) || seesOurDevices(files, pid))
    return environ.value
  return entries.filter((entry) => !namesNumbers.test(entry)).join('\0')
}
