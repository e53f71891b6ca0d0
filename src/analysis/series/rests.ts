/** Steps in which a job rested, from one to before the other. */
export interface Rest {
  readonly from: number
  readonly end: number
}

/**
 * Where a job rested between stretches of work, or before or after them, each at least so many steps long. A rest is seen
 * as it is: unlike two levels of work it needs no arithmetic, which the noise of work on a crowded machine would spoil.
 * Rests between short bursts are a rhythm, and left out.
 */
export function restStretches(isAtRest: readonly boolean[], shortest: number): Rest[] {
  const rests = runsOf(isAtRest).filter(({ from, end }) => end - from >= shortest)
  return rests
    .filter((rest, index) => {
      const before = rest.from - (rests[index - 1]?.end ?? 0)
      const after = (rests[index + 1]?.from ?? isAtRest.length) - rest.end
      return isWork(before, index === 0) && isWork(after, index === rests.length - 1)
    })
    .map(({ from, end }) => ({
      // A moment of work at the very start or end is no phase of its own.
      from: from < shortest ? 0 : from,
      end: isAtRest.length - end < shortest ? isAtRest.length : end,
    }))

  function isWork(steps: number, isAtEdge: boolean): boolean {
    return isAtEdge || steps >= shortest
  }
}

/** The cuts between phases where rests are such: others are kept that leave phases of at least so many steps. */
export function cutsWithRests(
  cuts: readonly number[],
  rests: readonly Rest[],
  length: number,
  shortest: number,
): number[] {
  const edges = [...new Set(rests.flatMap(({ from, end }) => [from, end]))]
  const others = cuts.filter((cut) => edges.every((edge) => Math.abs(edge - cut) >= shortest))
  return [...edges.filter((edge) => edge > 0 && edge < length), ...others].toSorted((a, b) => a - b)
}

function runsOf(isAtRest: readonly boolean[]): Rest[] {
  const runs: Rest[] = []
  let from = 0
  for (let step = 0; step <= isAtRest.length; step += 1) {
    if (isAtRest[step] === true) continue
    if (step > from) runs.push({ from, end: step })
    from = step + 1
  }
  return runs
}
