import type { RunningJob } from '../../analysis/metrics/running-sums.ts'
import type { JobRecord } from '../../model/record.ts'
import { StoreError } from '../../store/errors.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'

/** Knows what runs now, and what it uses. */
export type RunningJobs = () => Promise<readonly RunningJob[]>

const columns = ['elapsed_seconds', 'cpu_user_seconds', 'cpu_system_seconds', 'memory_bytes']
/** Looks may be a tenth of a second apart: a rate over two of them would jump. */
const rows = 5
/** Of more jobs than this only the newest are looked at; the others count, without figures. */
const mostMeasured = 500

/** Those that the ledger knows of. Of jobs whose samples are in the series file of a run it has no figures. */
export const runningInLedger =
  (reader: LedgerReader): RunningJobs =>
  async () => {
    const records = await reader.jobs.find({ status: 'running' })
    return Promise.all(records.map((record, at) => measured(reader, record, at < mostMeasured)))
  }

async function measured(
  reader: LedgerReader,
  { taskId, user, name, requirements }: JobRecord,
  isLookedAt: boolean,
): Promise<RunningJob> {
  const job = { user, name, requirements, cpuCores: null, memoryBytes: null }
  if (!isLookedAt) return job
  const series = await reader.jobs
    .series(taskId, { columns, newest: rows }, user)
    .catch((error: unknown) => {
      // Samples of one that cannot be read keep nobody from the figures of all others.
      if (!(error instanceof StoreError) || error.code !== 'corrupt') throw error
      return { rows: [] }
    })
  const last = series.rows.at(-1)
  if (last === undefined) return job
  const [elapsed = 0, , , memoryBytes] = last
  // Nothing was used before a job began.
  const first = series.rows.length > 1 ? series.rows[0] : Float64Array.of(0, 0, 0)
  const seconds = elapsed - (first?.[0] ?? 0)
  const cores = (cpuSecondsIn(last) - cpuSecondsIn(first)) / seconds
  return {
    ...job,
    cpuCores: Number.isFinite(cores) && cores >= 0 ? cores : null,
    memoryBytes: memoryBytes === undefined || Number.isNaN(memoryBytes) ? null : memoryBytes,
  }
}

const cpuSecondsIn = (row: Float64Array | undefined): number =>
  (row?.[1] ?? Number.NaN) + (row?.[2] ?? Number.NaN)
