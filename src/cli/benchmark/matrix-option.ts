import { UserError } from '../../service/user-error.ts'

/** `cpus=1,2,4`, once for each parameter. */
export function parseMatrix(given: readonly string[]): Record<string, readonly string[]> {
  const axes = given.map(parseAxis)
  const matrix = Object.fromEntries(axes)
  if (Object.keys(matrix).length < axes.length)
    throw new UserError('--matrix names a parameter twice: give all its values at once', 'usage')
  return matrix
}

function parseAxis(text: string): [name: string, values: readonly string[]] {
  const equals = text.indexOf('=')
  const values = text.slice(equals + 1).split(',')
  if (equals <= 0 || values.includes(''))
    throw new UserError(`--matrix "${text}" is not NAME=VALUE,VALUE. Example: cpus=1,2,4`, 'usage')
  return [text.slice(0, equals), values]
}
