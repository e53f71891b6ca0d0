import type { ReportData } from '../../render/page/report-content.ts'
import { jobCharts } from '../job/job-charts.ts'
import { element } from '../dom.ts'
import { section } from './section.ts'

/** One job over time: all its charts below each other. */
export function showSeries({ charts }: ReportData): void {
  if (charts === null || charts.charts.length === 0) return
  const place = section(
    'series',
    'Over time',
    charts.is_whole
      ? 'Every sample; dashed lines are what the job asked for.'
      : 'The least and the greatest of each moment; dashed lines are what the job asked for.',
  )
  const body = element('div')
  place.append(body)
  jobCharts(body, charts)
}
