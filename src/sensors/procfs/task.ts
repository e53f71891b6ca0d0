import { parseReading, type Reading } from '../../model/reading.ts'
import type { Files } from '../../system/system.ts'

/** Thread ids from the names in /proc/PID/task. */
function parseTaskNames(names: readonly string[]): readonly number[] | undefined {
  return names.every((name) => /^[1-9]\d{0,6}$/.test(name)) ? names.map(Number) : undefined
}

export function readThreadIds(files: Files, pid: number): Reading<readonly number[]> {
  const directory = `/proc/${pid}/task`
  return parseReading(files.list(directory), directory, parseTaskNames)
}
