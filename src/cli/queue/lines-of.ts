import { whyNot } from '../../model/reading.ts'
import { UserError } from '../../service/user-error.ts'
import { realFiles } from '../../system/real-files.ts'

const mostBytes = 1024 * 2 ** 20

/** The lines of a file that say something, or of standard input. */
export function linesOf(path: string): readonly string[] {
  const text = realFiles.readUtf8(path === '-' ? '/dev/stdin' : path, mostBytes)
  if (text.kind !== 'ok') throw new UserError(whyNot(text), 'usage')
  const lines = text.value.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) throw new UserError(`${path} has no line in it`, 'usage')
  return lines
}
