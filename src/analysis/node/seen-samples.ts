import {
  sampleColumns,
  sampleIndex,
  type SampleColumn,
  type SampleRow,
} from '../../model/sample.ts'
import type { SeenRound } from '../../model/seen-round.ts'
import { nodeCoresOf } from './node-cores.ts'

/**
 * A job that the agent saw as samples, so that the analyses of jobs work on it. Its time is the time that it was looked at: a gap
 * is left out, because it is neither work nor rest.
 */
export function seenSamples(rounds: readonly SeenRound[]): SampleRow[] {
  const counters = { cpu: 0, read: 0, write: 0, node: 0 }
  let elapsed = 0
  const [first] = rounds
  if (first === undefined) return []
  const rows = [
    rowOf({
      timestamp: first.to - first.seconds,
      elapsed_seconds: 0,
      ...countersOf(first, counters),
    }),
  ]
  for (const round of rounds) {
    elapsed += round.seconds
    counters.cpu += Math.max(0, round.cpuSeconds ?? 0)
    counters.read += round.readBytes ?? 0
    counters.write += round.writeBytes ?? 0
    counters.node += (nodeCoresOf(round) ?? 0) * round.seconds
    rows.push(
      rowOf({
        timestamp: round.to,
        elapsed_seconds: elapsed,
        memory_bytes: round.memoryBytes,
        machine_memory_bytes: round.nodeMemoryBytes,
        ...countersOf(round, counters),
      }),
    )
  }
  return rows
}

interface Counters {
  readonly cpu: number
  readonly read: number
  readonly write: number
  readonly node: number
}

/** How much of the CPU time was the kernel's is not kept: all of it stands in one column. */
const countersOf = (round: SeenRound, { cpu, read, write, node }: Counters) => ({
  cpu_user_seconds: round.cpuSeconds === null ? null : cpu,
  cpu_system_seconds: round.cpuSeconds === null ? null : 0,
  read_bytes: round.readBytes === null ? null : read,
  write_bytes: round.writeBytes === null ? null : write,
  machine_cpu_seconds: nodeCoresOf(round) === null ? null : node,
})

function rowOf(values: Partial<Record<SampleColumn, number | null>>): SampleRow {
  const row = new Float64Array(sampleColumns.length).fill(Number.NaN)
  for (const [name, value] of Object.entries(values))
    if (value !== null) row[sampleIndex[name as SampleColumn]] = value
  return row
}
