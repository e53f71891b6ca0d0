/** So many characters of what names have in common stay before the place where they differ; fewer where there is no room. */
const kept = 4
const leastKept = 1

/**
 * Names as short as `fit` makes them, which leaves something out of a long one. Where that makes different names alike,
 * their common beginning goes first; only those may stay alike that differ in several places far from each other.
 */
export const distinctNames = (names: readonly string[], fit: (name: string) => string): string[] =>
  keptApart(names, fit, kept)

function keptApart(
  names: readonly string[],
  fit: (name: string) => string,
  keptBefore: number,
): string[] {
  const short = names.map((name) => fit(name))
  for (const alike of Map.groupBy(names.keys(), (index) => short[index]).values()) {
    const whole = alike.map((index) => names[index] ?? '')
    const cut = commonBeginning(whole) - keptBefore
    // Names that are the same stay so; and where nothing would get shorter, there is no more to gain.
    if (new Set(whole).size === 1 || cut < 2) continue
    const ends = whole.map((name) => `…${Array.from(name).slice(cut).join('')}`)
    const found = keptApart(ends, fit, leastKept)
    for (const [place, index] of alike.entries()) short[index] = found[place] ?? ''
  }
  return short
}

/** In characters. */
function commonBeginning(names: readonly string[]): number {
  const [first = [], ...others] = names.map((name) => Array.from(name))
  const differs = first.findIndex((character, at) => others.some((one) => one[at] !== character))
  return differs === -1 ? first.length : differs
}
