/** `1.4`, `0.05`: cores in a table of them. `isLowerBound`: "at least" stands before it, and "less than" cannot. */
export function coresWords(cores: number, isLowerBound = false): string {
  if (cores > 0 && cores < 0.01) return isLowerBound ? '0' : '< 0.01'
  return String(Number(cores.toPrecision(2)))
}
