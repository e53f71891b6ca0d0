import { saysOutOfMemory } from '../../model/outcome.ts'
import type { AttemptRecord } from '../../model/record.ts'
import { furtherFigures, usageKeys } from '../../model/usage.ts'
import { usageName } from '../../model/usage-names.ts'
import { gpuFigures } from '../../model/gpu-usage.ts'

const outcomeNames = [
  'failed',
  'timed_out',
  'out_of_memory',
  'interrupted',
  'succeeded',
  'exit_code',
  'duration_seconds',
] as const

/** Figures of a record, by the names that rules use for them: those of its JSON. */
export const endFigureNames: readonly string[] = [
  ...outcomeNames,
  ...usageKeys.map(usageName),
  ...gpuFigures.map(({ key }) => usageName(key)),
]

type Ended = Pick<
  AttemptRecord,
  'status' | 'reason' | 'exitCode' | 'durationSeconds' | 'usage' | 'signal'
>

/** In the order of `endFigureNames`; NaN where nothing is known. */
export function endFigures(record: Ended): Float64Array {
  const { status, reason, exitCode, durationSeconds, usage } = record
  // Nobody knows how a watched process ended.
  const told = (isSo: boolean): number => (status === 'unknown' ? Number.NaN : Number(isSo))
  // One that was cancelled, or ended badly in another way, does not show that all is well again.
  const toldOf = (...bad: readonly string[]): number | null =>
    bad.includes(status) ? 1 : status === 'success' ? 0 : null
  const known: Record<string, number | null> = {
    failed: toldOf('failed', 'error'),
    timed_out: toldOf('timeout'),
    out_of_memory: told(saysOutOfMemory(reason)),
    interrupted: told(status === 'interrupted' || status === 'cancelled'),
    succeeded: told(status === 'success'),
    exit_code: exitCode,
    duration_seconds: durationSeconds,
  }
  for (const key of usageKeys) known[usageName(key)] = usage[key].value
  for (const [key, { value }] of furtherFigures(usage)) known[usageName(key)] = value
  return Float64Array.from(endFigureNames, (name) => known[name] ?? Number.NaN)
}
