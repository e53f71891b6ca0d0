import { parseScalar } from '../../model/scalar.ts'
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
