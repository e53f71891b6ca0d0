import { fixedKeeping, formatBytes, formatSeconds, notMeasured } from '../../units/figures.ts'
import { count } from '../../../model/count.ts'
import { isOpen } from '../../../model/outcome.ts'
import { gpuWorked } from '../../../analysis/job/gpu-worked.ts'
import type { JobReportJson } from './facts.ts'
import { lowerBoundWords } from '../../units/usage-figure.ts'
import { shareWords } from './words.ts'

/** The parts of a report that text and Markdown lay out in their own ways. */

/** Where no advice is given; of a job that failed, only what it used is meant. */
export const noAdvice = ({ status }: JobReportJson): string =>
  status === 'success' || isOpen(status) || status === 'unknown'
    ? 'Nothing stands out.'
    : 'Nothing stands out in what it used.'

export function phaseRows({ phases }: JobReportJson): [string, string][] {
  return phases.map((phase) => [
    `${formatSeconds(phase.from_seconds)} – ${formatSeconds(phase.to_seconds)}`,
    phase.says,
  ])
}

/** What the timeline cannot show; null where it shows all. */
export function timelineNote(report: JobReportJson): string | null {
  const { no_series: why, more_phases: more, why_one_phase: whyOne } = report
  if (why !== null) return `No timeline: ${why}. What follows is from the totals.`
  if (whyOne !== null) return `Whether it had phases is not known: ${whyOne}.`
  return more ? 'It changed more often than this: the most similar phases are shown as one.' : null
}

export function endsRows(report: JobReportJson): [string, string][] {
  const hasGpuWork = gpuWorked(report.bound_by.kind, report.efficiency.gpu.used)
  const ends = (key: 'start_up_seconds' | 'idle_tail_seconds', none: string): string => {
    const seconds = report[key]
    if (seconds === null) return `not known (${report.unmeasured[key] ?? notMeasured})`
    if (seconds === 0) return none
    // What its GPUs did in that time is not known.
    return hasGpuWork
      ? `${formatSeconds(seconds)} in which its cores were idle`
      : formatSeconds(seconds)
  }
  return [
    ['Start-up', ends('start_up_seconds', 'none: busy from the first sample')],
    ['Idle tail', ends('idle_tail_seconds', 'none to speak of')],
    ['Samples', samplesLine(report)],
  ]
}

const samplesLine = (report: JobReportJson): string =>
  [count(report.samples, 'sample'), ...missingPeakWords(report), ...otherCpuPeakWords(report)].join(
    '; ',
  )

/** A peak that is not in the timeline, but in the totals below it. */
function missingPeakWords({ missing_peak: why, efficiency }: JobReportJson): string[] {
  if (why === null) return []
  const { used, is_lower_bound: isBound } = efficiency.memory
  const peak = `memory peak of ${isBound ? lowerBoundWords : ''}${formatBytes(used ?? 0)}`
  return why === 'brief'
    ? [`a ${peak} was too brief for this timeline`]
    : [
        `the ${peak} is above this timeline: it was brief, or counts memory shared with other programs, which the timeline leaves out`,
      ]
}

/** A peak that other reports tell, but not this timeline. */
function otherCpuPeakWords({ cpu_peak: { cores, is_lower_bound, timeline_shows } }: JobReportJson) {
  if (timeline_shows === null || cores === null) return []
  const peak = `the CPU peak was ${is_lower_bound ? lowerBoundWords : ''}${fixedKeeping(cores, 1)} cores`
  return timeline_shows === 'less'
    ? [`${peak}, between samples of this timeline`]
    : [`${peak}: over a second or more, of which this timeline shows shorter parts`]
}

export function efficiencyRows({ efficiency, unmeasured }: JobReportJson): [string, string][] {
  const why = (name: string): string => unmeasured[`efficiency.${name}.share`] ?? notMeasured
  // Limits of containers are often parts of a core.
  const decimals = efficiency.cores.basis === 'limit' ? 2 : 1
  const cores = (value: number): string => `${fixedKeeping(value, decimals)} cores`
  const cards = (value: number): string => `${fixedKeeping(value, 1)} GPUs`
  return [
    ['Cores', shareWords(efficiency.cores, cores, why('cores'))],
    ['Memory', shareWords(efficiency.memory, formatBytes, why('memory'))],
    ['GPU', shareWords(efficiency.gpu, cards, why('gpu'))],
    ['Time', shareWords(efficiency.time, formatSeconds, why('time'))],
  ]
}
