import type { PastSlurmJob } from '../../model/past-slurm-job.ts'
import type { SacctRow } from './sacct-row.ts'
import { saneJob } from './sane-job.ts'

/** The lines of one job and its steps, which stand together. */
export interface SacctGroup {
  readonly line: number
  readonly rows: readonly SacctRow[]
}

/** Puts steps to their jobs. */
export class SacctGroups {
  #open: { readonly line: number; readonly rows: SacctRow[] } | undefined

  /** The group that is complete, if this row begins another. */
  add(row: SacctRow, line: number): SacctGroup | undefined {
    const open = this.#open
    const [first] = open?.rows ?? []
    const isSame =
      open !== undefined && first?.job.id === row.job.id && (row.isStep || first.isStep)
    if (isSame && open.rows.length < mostSteps) {
      open.rows.push(row)
      return undefined
    }
    this.#open = { line, rows: [row] }
    return open
  }

  end(): SacctGroup | undefined {
    const open = this.#open
    this.#open = undefined
    return open
  }
}

const mostSteps = 100_000

/** What they say of the job; undefined for steps without their job. */
export function slurmJobOf({ rows }: SacctGroup, nowSeconds: number): PastSlurmJob | undefined {
  const main = rows.find(({ isStep }) => !isStep)
  if (main === undefined) return undefined
  const steps = rows.filter(({ isStep }) => isStep)
  const whole = {
    ...main.job,
    cpuSeconds: main.job.cpuSeconds ?? summed(steps.map(({ job }) => job.cpuSeconds)),
    memoryPeakBytes: highest(rows.map(({ job }) => job.memoryPeakBytes)),
  }
  return saneJob(whole, nowSeconds)
}

const summed = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null)

const highest = (values: readonly (number | null)[]): number | null =>
  values.reduce((peak, value) => (value === null ? peak : Math.max(peak ?? 0, value)), null)
