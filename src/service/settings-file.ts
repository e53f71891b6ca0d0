import { megabyte } from '../model/bytes.ts'
import { whyNot } from '../model/reading.ts'
import type { System } from '../system/system.ts'
import { specErrorLines, type SpecError } from '../workflow/spec/problem.ts'
import { UserError } from './user-error.ts'

/** What stands in a file of settings. */
export function settingsText(system: System, path: string): string {
  // Whoever opens a pipe waits for somebody to write, and the job's exit code waits with him.
  const found = system.files.fingerprint(path)
  if (found.kind === 'ok' && found.value.hash === null)
    throw new UserError(`${path} is not a regular file of at most 1 MB`, 'usage')
  const text = system.files.readUtf8(path, megabyte)
  if (text.kind !== 'ok') throw new UserError(whyNot(text), 'usage')
  return text.value
}

/** All that is wrong with such a file at once, with the places. `what`: as in `price file`. */
export function settingsError(what: string, errors: readonly SpecError[]): UserError {
  const count = errors.length === 1 ? 'an error' : `${errors.length} errors`
  return new UserError(`${count} in the ${what}\n${specErrorLines(errors).join('\n')}`, 'usage')
}
