import { formatSeconds } from '../../units/figures.ts'
import { durationBound } from '../../units/usage-figure.ts'
import type { JobReportJson } from './facts.ts'
import { efficiencyRows, endsRows, noAdvice, phaseRows, timelineNote } from './rows.ts'
import { markHeaders, markRows } from '../../marks/marks-rows.ts'
import { markdownTable, markdownText } from '../../text/markdown.ts'

export function jobReportMarkdown(report: JobReportJson, nextTime: readonly string[] = []): string {
  const lasted = report.duration_seconds
  const why = report.error
  const note = timelineNote(report)
  const blocks: string[][] = [
    [`## ${markdownText(report.name)}`],
    [
      `${markdownText(report.task_id)}: ${report.status}` +
        (lasted === null ? '' : ` in ${durationBound(report.status)}${formatSeconds(lasted)}`) +
        (why === null ? '' : `: ${markdownText(why)}`),
    ],
    report.phases.length === 0 ? [] : markdownTable(['Time', 'Phase'], phaseRows(report)),
    report.marks === undefined ? [] : markdownTable(markHeaders, markRows(report.marks)),
    note === null ? [] : [markdownText(note)],
    markdownTable(['Figure', 'Value'], [...endsRows(report), ...efficiencyRows(report)]),
    [`**What held it back:** ${markdownText(report.bound_by.sentence)}`],
    [`**Memory:** ${markdownText(report.memory.says)}`],
    report.advice.length === 0
      ? [`**To do:** ${noAdvice(report)}`]
      : [
          '**To do:**',
          '',
          ...report.advice.map(({ says }, at) => `${at + 1}. ${markdownText(says)}`),
        ],
    nextTime.length === 0
      ? []
      : ['**Next time:**', '', ...nextTime.map((line) => `- ${markdownText(line)}`)],
  ]
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `${shown.join('\n\n')}\n`
}
