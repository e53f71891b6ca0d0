import { whyNot } from '../../model/reading.ts'
import { UserError } from '../../service/user-error.ts'
import { realFiles } from '../../system/real-files.ts'

const mostBytes = 1024 * 2 ** 20

/** The lines of a file, or of standard input, that are commands: the shell does nothing with empty ones and comments. */
export function linesOf(path: string): readonly string[] {
  const text = realFiles.readUtf8(path === '-' ? '/dev/stdin' : path, mostBytes)
  if (text.kind !== 'ok') throw new UserError(whyNot(text), 'usage')
  const lines = text.value.split('\n').filter((line) => !/^\s*(#|$)/.test(line))
  if (lines.length === 0) throw new UserError(`${path} has no command in it`, 'usage')
  return lines
}
