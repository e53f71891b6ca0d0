/** Slurm allows some millions of elements; ours are some thousands. */
const mostNumbers = 100_000

/** The elements of an array that `1-3,7,10-20:2%5` names; undefined for what is not such a text, or was cut off. */
export function taskNumbers(told: unknown): number[] | undefined {
  if (typeof told !== 'string') return undefined
  const [ranges = ''] = told.split('%')
  const numbers: number[] = []
  for (const range of ranges === '' ? [] : ranges.split(',')) {
    const parts = /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(range)
    if (parts === null) return undefined
    const first = Number(parts[1])
    const step = Math.max(1, Number(parts[3] ?? 1))
    for (let number = first; number <= Number(parts[2] ?? first); number += step) {
      if (numbers.length === mostNumbers) return undefined
      numbers.push(number)
    }
  }
  return numbers
}
