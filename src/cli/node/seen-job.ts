import { jobReport, type JobReport } from '../../analysis/job/job-report.ts'
import { nextRequest, type RequestPart } from '../../analysis/node/next-request.ts'
import { seenSamples } from '../../analysis/node/seen-samples.ts'
import { seenJobJson } from '../../render/node/jobs-json.ts'
import { nextRequestJson } from '../../render/node/next-request.ts'
import { seenSections, seenSeriesJson } from '../../render/node/seen-details.ts'
import { detailsText } from '../../render/record/details-text.ts'
import { recordJson } from '../../render/record/record-json.ts'
import type { Style } from '../../render/text/style.ts'
import type { Zone } from '../../render/units/zoned-time.ts'
import { findSeenJob, type SeenFacts } from '../../service/seen-jobs.ts'
import type { System } from '../../system/system.ts'
import { openNode } from './node-options.ts'

export interface SeenReport {
  readonly facts: SeenFacts
  readonly report: JobReport
  readonly next: readonly RequestPart[]
}

/** All that can be told of a job that the agent saw. */
export async function seenReport(
  system: System,
  typed: string,
  database: string | undefined,
): Promise<SeenReport> {
  const reader = openNode(system, database)
  const facts = await findSeenJob(reader, typed)
  await reader.close()
  const { job, series, record } = facts
  const why = 'no round of it is kept any more'
  return {
    facts,
    report: jobReport(record, seenSamples(series.rounds), why),
    next: nextRequest(job, series.rounds),
  }
}

/** As `job-details` shows it. */
export function seenDetails(
  { facts, report, next }: SeenReport,
  style: Style,
  zone: Zone,
): { json: object; text: string } {
  const { job, series, record } = facts
  return {
    json: {
      ...recordJson(record),
      node_job: seenJobJson(job),
      next_request: nextRequestJson(next),
      series: seenSeriesJson(series),
    },
    text: `${detailsText(record, style, zone)}\n${seenSections(job, report.series, next, style)}\n`,
  }
}
