import { errorFunction } from 'simple-statistics'

/** How likely ranks as uneven as these are if nothing but chance divides the two. */
export interface RankTest {
  /** Two-sided. */
  readonly pValue: number
  readonly method: 'exact' | 'normal'
  /** The least that so many values could ever give: above 0.05 they cannot show anything. */
  readonly leastPValue: number
}

/** Up to so many values every division of the ranks is counted, ties and all. */
const mostExact = 50

/** Mann and Whitney's test: whether one set tends to be larger than the other. */
export function rankSumTest(a: readonly number[], b: readonly number[]): RankTest | undefined {
  if (a.length === 0 || b.length === 0) return undefined
  const { doubledRanks, tieTerm } = rank([...a, ...b])
  const total = a.length + b.length
  const sum = doubledRanks.slice(0, a.length).reduce((left, right) => left + right, 0)
  const leastPValue = Math.min(1, 2 / choose(total, a.length))
  if (total <= mostExact) {
    const counts = subsetSums(doubledRanks, a.length)
    return { pValue: twoSided(counts, sum), method: 'exact', leastPValue }
  }
  const mean = a.length * (total + 1)
  // Ranks are doubled, so the variance is four times the usual; ties make it smaller.
  const variance = ((a.length * b.length) / 3) * (total + 1 - tieTerm / (total * (total - 1)))
  return { pValue: normalPValue(sum - mean, variance), method: 'normal', leastPValue }
}

/** Wilcoxon's test for pairs: whether the differences tend to one side of 0. */
export function signedRankTest(differences: readonly number[]): RankTest | undefined {
  if (differences.length === 0) return undefined
  const leastPValue = Math.min(1, 2 / 2 ** differences.length)
  const counted = differences.filter((difference) => difference !== 0)
  if (counted.length === 0) return { pValue: 1, method: 'exact', leastPValue }
  const { doubledRanks, tieTerm } = rank(counted.map(Math.abs))
  let sum = 0
  doubledRanks.forEach((value, index) => {
    if ((counted[index] ?? 0) > 0) sum += value
  })
  const count = counted.length
  if (count <= mostExact) {
    return { pValue: twoSided(subsetSums(doubledRanks), sum), method: 'exact', leastPValue }
  }
  const mean = (count * (count + 1)) / 2
  const variance = (count * (count + 1) * (2 * count + 1)) / 6 - tieTerm / 12
  return { pValue: normalPValue(sum - mean, variance), method: 'normal', leastPValue }
}

/** Twice the ranks, so that shared ones are whole; and the sum of t³ − t over all ties. */
function rank(values: readonly number[]): { doubledRanks: number[]; tieTerm: number } {
  // Numbers alone sort ten times as fast as places by a comparison, and 100,000 runs are compared five times.
  const sorted = Float64Array.from(values).sort()
  const doubledRanks = new Map<number, number>()
  let tieTerm = 0
  for (let from = 0; from < sorted.length;) {
    const value = sorted[from] ?? 0
    let end = from + 1
    while (end < sorted.length && sorted[end] === value) end += 1
    doubledRanks.set(value, from + 1 + end)
    tieTerm += (end - from) ** 3 - (end - from)
    from = end
  }
  return { doubledRanks: values.map((value) => doubledRanks.get(value) ?? 0), tieTerm }
}

/** How many subsets (of `size`, where it is given) have each sum. */
function subsetSums(ranks: readonly number[], size?: number): Float64Array {
  const top = ranks.reduce((sum, value) => sum + value, 0)
  if (size === undefined) {
    const counts = new Float64Array(top + 1)
    counts[0] = 1
    for (const value of ranks)
      for (let sum = top; sum >= value; sum -= 1)
        counts[sum] = (counts[sum] ?? 0) + (counts[sum - value] ?? 0)
    return counts
  }
  const bySize = Array.from({ length: size + 1 }, () => new Float64Array(top + 1))
  const none = bySize[0]
  if (none !== undefined) none[0] = 1
  for (const value of ranks) {
    for (let taken = size; taken >= 1; taken -= 1) {
      const counts = bySize[taken]
      const fewer = bySize[taken - 1]
      if (counts === undefined || fewer === undefined) continue
      for (let sum = top; sum >= value; sum -= 1)
        counts[sum] = (counts[sum] ?? 0) + (fewer[sum - value] ?? 0)
    }
  }
  return bySize[size] ?? new Float64Array(0)
}

/** Twice the smaller tail, the sum itself in both. */
function twoSided(counts: Float64Array, sum: number): number {
  let below = 0
  let all = 0
  let above = 0
  counts.forEach((count, at) => {
    all += count
    if (at <= sum) below += count
    if (at >= sum) above += count
  })
  return Math.min(1, (2 * Math.min(below, above)) / all)
}

/** With a correction for continuity: doubled rank sums are two apart. */
function normalPValue(distance: number, variance: number): number {
  if (!(variance > 0)) return 1
  const z = Math.max(0, Math.abs(distance) - 1) / Math.sqrt(variance)
  return Math.min(1, Math.max(0, 1 - errorFunction(z / Math.SQRT2)))
}

function choose(total: number, few: number): number {
  let ways = 1
  for (let index = 1; index <= Math.min(few, total - few); index += 1)
    ways = (ways * (total - index + 1)) / index
  return ways
}
