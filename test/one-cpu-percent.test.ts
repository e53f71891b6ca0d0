import fc from 'fast-check'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { deriveSeries } from '../src/analysis/series/rates.ts'
import { sampleIndex } from '../src/model/sample.ts'
import { gatherPlotJobs } from '../src/service/gather-plots.ts'
import { makeSeriesFile, type SeriesFile } from '../src/store/series/series-file.ts'
import { someEnd } from './contracts/attempts.ts'
import { LedgerFolder } from './ledger-folder.ts'
import { sampleWidth } from './synthetic/sample-width.ts'

const folder = new LedgerFolder()
const cores = 16
const taskId = 'c'.repeat(32)

/** One core is used throughout, beside a shell that waits. Counters are told in ticks, and the last one is read at the end. */
const worker: readonly Step[] = [
  { seconds: 0.1, cpu: 0.09 },
  { seconds: 0.1, cpu: 0.1 },
  { seconds: 0.1, cpu: 0.09 },
  { seconds: 0.1, cpu: 0.1 },
  { seconds: 0.01, cpu: 0.02 },
].map((step) => ({ ...step, threads: 2 }))

interface Step {
  readonly seconds: number
  /** What the counter shows more than at the sample before. */
  readonly cpu: number
  readonly threads: number
}

const anySteps = fc.array(
  fc.record({
    seconds: fc.double({ min: 0.001, max: 2, noNaN: true }),
    cpu: fc.oneof(fc.double({ min: 0, max: 3, noNaN: true }), fc.constant(Number.NaN)),
    threads: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 40 },
)

function rowsOf(steps: readonly Step[]): Float64Array[] {
  let [elapsed, user] = [0, 0]
  return [{ seconds: 0.01, cpu: 0, threads: 1 }, ...steps].map(({ seconds, cpu, threads }) => {
    const row = new Float64Array(sampleWidth).fill(Number.NaN)
    elapsed += seconds
    if (!Number.isNaN(cpu)) user += cpu
    row[sampleIndex.timestamp] = 1000 + elapsed
    row[sampleIndex.elapsed_seconds] = elapsed
    row[sampleIndex.cpu_user_seconds] = Number.isNaN(cpu) ? Number.NaN : user
    row[sampleIndex.cpu_system_seconds] = Number.isNaN(cpu) ? Number.NaN : 0
    row[sampleIndex.num_threads] = threads
    return row
  })
}

let files = 0

/** The series file of a job with these samples, which were written one after another. */
function write(rows: readonly Float64Array[]): SeriesFile {
  const run = { ledger: folder.ledger.path, host: 'node', workflowId: 1, runId: 1 }
  const file = makeSeriesFile(join(folder.directory, `out${(files += 1)}`), run)
  const requests = {
    requestedCpus: null,
    requestedMemoryBytes: null,
    requestedRuntimeSeconds: null,
  }
  file.addJob({ jobId: 1, jobName: 'work', taskId, cores, ...requests })
  file.addAttempt({ taskId, jobId: 1, attempt: 1, startedAt: 1000 })
  const writer = file.writer(1, 1)
  for (const row of rows) writer.add(row, 1)
  return file
}

function inFile(path: string): (number | null)[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare('SELECT cpu_percent FROM job_resource_samples ORDER BY timestamp, rowid')
    .all()
  database.close()
  return rows.map(({ cpu_percent: percent }) => (typeof percent === 'number' ? percent : null))
}

const plotted = (path: string): number[] =>
  gatherPlotJobs([path], undefined).flatMap(({ attempts }) =>
    attempts.flatMap(({ curves }) => [...curves.metrics.cpuPercent.values]),
  )

const derived = (rows: readonly Float64Array[]): (number | null)[] =>
  deriveSeries(rows, cores).map(({ cpuPercent }) => cpuPercent)

/** Curves leave out what is not known. */
const known = (percents: readonly (number | null)[]): number[] =>
  percents.filter((percent) => percent !== null)

describe('the CPU of a job in percent', () => {
  it('is the same in the series file, on its plot and in the series', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const rows = rowsOf(steps)
        const file = write(rows)
        file.endAttempt(taskId, someEnd())
        file.close()
        expect(inFile(file.path)).toEqual(derived(rows))
        const drawn = plotted(file.path)
        expect(new Set(drawn)).toEqual(new Set(known(derived(rows))))
      }),
      { numRuns: 50 },
    )
  })

  it('is never more than the threads that work can have used', () => {
    const file = write(rowsOf(worker))
    file.endAttempt(taskId, someEnd())
    file.close()
    expect(Math.max(...known(inFile(file.path)))).toBeCloseTo(100)
    expect(Math.max(...plotted(file.path))).toBeCloseTo(100)
  })

  it('is drawn as it is derived, though the job still runs or its runner was killed', () => {
    const rows = rowsOf(worker)
    const file = write(rows)
    file.close()
    expect(plotted(file.path)).toEqual(known(derived(rows)))
  })
})
