/**
 * How the figure of one thread says whose it is. A record keeps figures and their bases alone, so the name stands in
 * the basis, as JSON: a thread may have any name.
 */
export const threadBasis = (name: string, how: string): string =>
  `thread ${JSON.stringify(name)}: ${how}`

/** The name in such a basis; undefined in others. */
export function threadNameIn(basis: string): string | undefined {
  const quoted = /^(?:at least: )?thread ("(?:[^"\\]|\\.)*"): /.exec(basis)?.[1]
  if (quoted === undefined) return undefined
  const name: unknown = JSON.parse(quoted)
  return typeof name === 'string' ? name : undefined
}
