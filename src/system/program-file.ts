import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findCommand } from './command-search.ts'

/** Which file a program is. Folders have their real names there: /bin may be a link to /usr/bin. */
export function programFile(program: string, path: string | undefined): string | undefined {
  const found = findCommand(program, path)
  if (found === undefined) return undefined
  try {
    return join(realpathSync(dirname(found)), basename(found))
  } catch {
    return undefined
  }
}
