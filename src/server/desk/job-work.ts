import { withRates } from '../../analysis/series/device-rates.ts'
import type { JobRecord } from '../../model/record.ts'
import { reportData } from '../../render/page/report-data.ts'
import { reportSource } from '../../render/page/report-words.ts'
import { jobPartsJson } from '../../render/record/job-parts-json.ts'
import { optionalLines } from '../../render/record/optional-lines.ts'
import { jobReportJson } from '../../render/reports/job/json.ts'
import { devicesJson, samplesJson } from '../../render/series/columns-json.ts'
import { describedSamples } from '../../service/described-samples.ts'
import { gatherJob } from '../../service/gather-job.ts'
import { samplesOf } from '../../service/job-samples.ts'
import { jobSeries, pagePoints } from '../../service/job-series.ts'
import { partsOfJob } from '../../service/jobs/job-parts.ts'
import { markedParts } from '../../service/marked-parts.ts'
import { reportOfJob } from '../../service/reports/report-of-job.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { TimeRange } from '../../store/series/series.ts'
import type { System } from '../../system/system.ts'

/** What can be asked of a job for which all of its samples are read. */
export type JobQuestion =
  | { readonly what: 'findings' }
  | { readonly what: 'parts' }
  | { readonly what: 'report'; readonly version: string }
  | {
      readonly what: 'samples' | 'devices'
      readonly range: TimeRange
      /** About so many points; null: every sample. */
      readonly points: number | null
    }
  | { readonly what: 'chart'; readonly range: TimeRange; readonly points: number }

/** As JSON has it. */
export async function answerOfJob(
  system: System,
  reader: LedgerReader,
  record: JobRecord,
  asked: JobQuestion,
): Promise<object> {
  switch (asked.what) {
    case 'findings':
      return jobReportJson(await reportOfJob(reader, record, undefined))
    case 'parts':
      return jobPartsJson(record.taskId, await partsOfJob(reader, record))
    case 'report':
      return reportOf(system, reader, record, asked.version)
    case 'samples':
      return samplesJson(record, await describedSamples(reader, record, asked.range), asked.points)
    case 'devices': {
      const { devices } = await describedSamples(reader, record, asked.range)
      return devicesJson(
        record,
        devices.map((device) => withRates(device, record.machine.cores)),
        asked.points,
      )
    }
    case 'chart':
      return jobSeries(reader, record, { ...asked.range, points: asked.points })
  }
}

async function reportOf(
  system: System,
  reader: LedgerReader,
  record: JobRecord,
  version: string,
): Promise<object> {
  const { series } = await samplesOf(reader, record, undefined)
  const marks = await markedParts(reader, record, undefined)
  const charts = await jobSeries(reader, record, { points: pagePoints })
  const gathered = gatherJob(system, record, series, { marks, charts })
  const further = optionalLines(record.usage)
  return reportData(reportSource(gathered, { zone: 'local', version, further }))
}
