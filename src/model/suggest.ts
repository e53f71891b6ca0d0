import { editDistance } from './edit-distance.ts'

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
