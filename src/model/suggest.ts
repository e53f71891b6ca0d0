/** ` Did you mean --memory?` for the candidate nearest to what was typed; nothing if none is near. */
export function didYouMean(typed: string, candidates: readonly string[]): string {
  const nearest = suggest(typed, candidates)
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

/** The candidate that was probably meant: one that starts so, or the one with the fewest slips. */
export function suggest(typed: string, candidates: readonly string[]): string | undefined {
  const bare = typed.replace(/^-+/, '')
  // One slip in a short word, one in three letters of a longer one: more makes absurd guesses.
  let allowed = Math.max(1, Math.floor(bare.length / 3))
  let nearest: string | undefined
  for (const candidate of candidates) {
    const distance = editDistance(typed, candidate)
    if (distance > allowed || distance >= candidate.replace(/^-+/, '').length) continue
    if (distance === allowed && nearest !== undefined) continue
    allowed = distance
    nearest = candidate
  }
  if (nearest !== undefined || bare.length < 2) return nearest
  return candidates.find((candidate) => candidate.startsWith(typed))
}

/** How many letters must be added, dropped, changed or swapped with their neighbour. */
export function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapped =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1]
      current[column] = Math.min(
        at(current, column - 1) + 1,
        at(previous, column) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
        swapped ? at(beforePrevious, column - 2) + 1 : Infinity,
      )
    }
    beforePrevious = previous
    previous = current
  }
  return at(previous, to.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity
