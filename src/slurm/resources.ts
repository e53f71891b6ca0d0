import { isNothing, slurmBytes, slurmCount, type SlurmValue } from './values.ts'

/** What Slurm counts (TRES), by name, as it is printed. */
export type SlurmResources = ReadonlyMap<string, string>

const separator = '='

/** `cpu=8,gres/gpu:a100=2,mem=16G`. Undefined: that is not what it is. */
export function slurmResources(told: string | undefined): SlurmResources | undefined {
  if (isNothing(told)) return new Map()
  const entries = told.split(',').map((entry) => {
    const at = entry.indexOf(separator)
    return [entry.slice(0, Math.max(0, at)), entry.slice(at + 1)] as const
  })
  return entries.every(([name]) => name !== '') ? new Map(entries) : undefined
}

export const cpusIn = (resources: SlurmResources): SlurmValue<number> =>
  slurmCount(resources.get('cpu'))

export const memoryIn = (resources: SlurmResources): SlurmValue<number> =>
  slurmBytes(resources.get('mem'), 'M', cpusIn(resources) ?? null)

/** Cards: all of them, else those of each type together. Nothing is said of what was not asked for. */
export function gpusIn(resources: SlurmResources): SlurmValue<number> {
  const all = resources.get('gres/gpu')
  if (all !== undefined) return slurmCount(all)
  let sum = 0
  for (const [name, told] of resources) {
    const count = name.startsWith('gres/gpu:') ? slurmCount(told) : 0
    if (count === undefined) return undefined
    sum += count ?? 0
  }
  return resources.size === 0 ? null : sum
}
