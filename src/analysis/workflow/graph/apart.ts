/**
 * Places that are as near to the wanted ones as they can be (by the sum of squares) while each is at least its gap after
 * the one before it. `gaps[0]` is not used.
 */
export function keptApart(wanted: readonly number[], gaps: readonly number[]): number[] {
  const pools: { sum: number; count: number }[] = []
  const meanOf = ({ sum, count }: { sum: number; count: number }): number => sum / count
  let shift = 0
  const shifts = wanted.map((_, index) => (shift += index === 0 ? 0 : (gaps[index] ?? 0)))
  for (const [index, place] of wanted.entries()) {
    let pool = { sum: place - (shifts[index] ?? 0), count: 1 }
    // Those that would come too near to the ones before them are moved together with these.
    for (let last = pools.at(-1); last && meanOf(last) > meanOf(pool); last = pools.at(-1)) {
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count }
      pools.pop()
    }
    pools.push(pool)
  }
  const moved = pools.flatMap((pool) => Array.from({ length: pool.count }, () => meanOf(pool)))
  return moved.map((place, index) => place + (shifts[index] ?? 0))
}
