import type { ReportData } from '../render/page/report-content.ts'
import { embedded } from './dom.ts'
import { showFindings } from './report/findings.ts'
import { showHeader } from './report/header.ts'
import { showJobs } from './report/jobs.ts'
import { showMarks } from './report/marks.ts'
import { showMeasured } from './report/measured.ts'
import { showOutcome } from './report/outcome.ts'
import { showResources } from './report/resources.ts'
import { showSeries } from './report/series.ts'
import { showTimeline } from './report/timeline.ts'

/** Draws a report from the data that stands in its page, part by part in the order of the page. */
const report = embedded('report') as ReportData
showHeader(report)
showOutcome(report)
showFindings(report)
const timeline = showTimeline(report)
showSeries(report)
showMarks(report)
showResources(report)
showJobs(report, timeline)
showMeasured(report)
