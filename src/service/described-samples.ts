import { describeColumns } from '../meter/gauges/sample-layout.ts'
import { shippedGauges } from '../meter/gauges/shipped.ts'
import type { JobRecord } from '../model/record.ts'
import type { ColumnDefinition } from '../model/sample.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import { HeldSeries } from '../store/series/held-series.ts'
import type { TimeRange } from '../store/series/series.ts'
import { noneInLedger, samplesOfRun, type JobSamples } from './job-samples.ts'

/** The samples of a stretch of time, and what each column says. */
export interface DescribedSamples extends JobSamples {
  readonly columns: readonly ColumnDefinition[]
}

const noneInRange = 'it has no samples in this stretch of time'

/** From the ledger, of which only that time is read; of a job of a workflow, from the series file of its run. */
export async function describedSamples(
  reader: LedgerReader,
  record: JobRecord,
  range: TimeRange,
): Promise<DescribedSamples> {
  const samples = await samplesBetween(reader, record, range)
  return { ...samples, columns: describeColumns(samples.series.columns, shippedGauges) }
}

async function samplesBetween(
  reader: LedgerReader,
  record: JobRecord,
  range: TimeRange,
): Promise<JobSamples> {
  const { taskId } = record
  const series = await reader.jobs.series(taskId, range)
  if (series.rows.length > 0)
    return { series, devices: await reader.jobs.devices(taskId, range), whyNone: '' }
  const ofRun = await samplesOfRun(reader, record, undefined)
  if (ofRun === undefined) {
    const whyNone = (await hasSamples(reader, taskId)) ? noneInRange : noneInLedger
    return { series, devices: [], whyNone }
  }
  const held = new HeldSeries([ofRun.series], ofRun.devices, ofRun.series.basis)
  const between = held.read(range)
  const isElsewhere = between.rows.length === 0 && ofRun.series.rows.length > 0
  const whyNone = isElsewhere ? noneInRange : ofRun.whyNone
  return { series: between, devices: held.devices(range), whyNone }
}

const hasSamples = async ({ jobs }: LedgerReader, taskId: string): Promise<boolean> =>
  (await jobs.series(taskId, { newest: 1 })).rows.length > 0
