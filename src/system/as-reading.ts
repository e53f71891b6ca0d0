import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import { RefusedFile } from './link-path.ts'

const notHere = new Set(['ENOENT', 'MODULE_NOT_FOUND', 'ESRCH', 'ENODEV', 'ENOTSUP', 'EOPNOTSUPP'])
const notAllowed = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Which part of a path is taken for a folder and is none. */
function notFolder(path: string): string {
  let part = path
  while (part !== dirname(part) && !isFile(part)) part = dirname(part)
  if (!isFile(part)) return `${path} does not exist`
  return part === path ? `${path} is not a directory` : `${path}: ${part} is not a directory`
}

function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Does something with a file; what it throws is told as a reading. */
export function asReading<T>(path: string, action: () => T): Reading<T> {
  try {
    return ok(action())
  } catch (error) {
    if (error instanceof RefusedFile) return failed(error.message)
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    if (code === 'ENOTDIR') return unavailable(notFolder(path))
    if (notHere.has(code)) return unavailable(`${path} does not exist`)
    if (notAllowed.has(code)) return unavailable(`${path}: no permission`)
    return failed(`${path}: ${code}`)
  }
}
