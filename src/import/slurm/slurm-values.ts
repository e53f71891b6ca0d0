import { parseInstant } from '../../model/duration.ts'
import { gpusIn, slurmResources, type SlurmResources } from '../../slurm/resources.ts'
import {
  isNothing,
  slurmBytes,
  slurmCount,
  slurmSeconds,
  type SlurmValue,
} from '../../slurm/values.ts'
import { BadRecord, invalidField } from '../bad-record.ts'

const invalid = (name: string, wanted: string, told: string): never => {
  throw new BadRecord(
    invalidField,
    `${name}: expected ${wanted}, found ${JSON.stringify(told.slice(0, 40))}`,
  )
}

/** A record with a field that makes no sense is refused. */
const checked = <Value>(
  name: string,
  wanted: string,
  told: string | undefined,
  value: SlurmValue<Value>,
): Value | null => (value === undefined ? invalid(name, wanted, told ?? '') : value)

export const secondsField = (name: string, told: string | undefined): number | null =>
  checked(name, 'a duration such as 1-02:03:04', told, slurmSeconds(told))

export const bytesField = (
  name: string,
  told: string | undefined,
  bare: 'K' | 'M',
  cpus: number | null = null,
): number | null =>
  checked(name, 'a size such as 4000M that a machine can have', told, slurmBytes(told, bare, cpus))

export const countField = (name: string, told: string | undefined): number | null =>
  checked(name, 'a whole number', told, slurmCount(told))

/** Seconds since 1970. Without an offset it is local time, as Slurm prints it. */
export function timeField(name: string, told: string | undefined): number | null {
  if (isNothing(told)) return null
  if (/^\d{9,11}$/.test(told)) return Number(told)
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(told) ? parseInstant(told, 0) : undefined
  return at ?? invalid(name, 'a time such as 2026-03-11T10:00:00', told)
}

export const resourcesField = (name: string, told: string | undefined): SlurmResources =>
  slurmResources(told) ?? invalid(name, 'resources such as cpu=8,mem=16G', told ?? '')

export const gpusField = (resources: SlurmResources): number | null =>
  checked('gres/gpu', 'a whole number', [...resources.values()].join(','), gpusIn(resources))

const mostNodes = 100_000

/** `n[01-03,7],login1`: the names one by one. */
export function nodesField(name: string, told: string | undefined): readonly string[] {
  if (isNothing(told)) return []
  const parts = told.match(/[^,[\]]*(?:\[[^\]]*\][^,[\]]*)*/g)?.filter((part) => part !== '') ?? []
  const nodes: string[] = []
  for (const part of parts) {
    for (const node of expanded(part)) {
      nodes.push(node)
      if (nodes.length > mostNodes) return invalid(name, 'fewer nodes', told)
    }
  }
  return nodes.length === 0 ? invalid(name, 'names of nodes', told) : nodes
}

function* expanded(pattern: string): Generator<string> {
  const [, before, list, after] = /^([^[]*)\[([^\]]*)\](.*)$/.exec(pattern) ?? []
  if (before === undefined || list === undefined || after === undefined) {
    yield pattern
    return
  }
  for (const range of list.split(',')) {
    const [, low, high = low] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) ?? []
    if (low === undefined || high === undefined) {
      yield* expanded(`${before}${range}${after}`)
      continue
    }
    for (let number = Number(low); number <= Number(high); number++)
      yield* expanded(`${before}${String(number).padStart(low.length, '0')}${after}`)
  }
}
