import { UserError } from '../../service/user-error.ts'

/** `mesh_size=64 name=fine` as an object. A value that reads as a JSON number, boolean or null is one. */
export function parseParams(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      if (equals <= 0)
        throw new UserError(
          `--param "${pair}" is not NAME=VALUE. Example: --param mesh_size=64`,
          'usage',
        )
      return [pair.slice(0, equals), parseScalar(pair.slice(equals + 1))]
    }),
  )
}

function parseScalar(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // 1e400 and 12345678901234567890 would not come back as they were written: they stay text.
    return typeof value === 'number' && String(value) !== text ? text : value
  } catch {
    return text
  }
}
