import { likeness } from '../../../analysis/policy.ts'
import { fixedKeeping, formatBytes, formatSeconds, notMeasured } from '../../units/figures.ts'
import { count } from '../../../model/count.ts'
import type { JobReportJson } from './facts.ts'
import { shareWords } from './words.ts'

/** The parts of a report that text and Markdown lay out in their own ways. */

export function phaseRows({ phases }: JobReportJson): [string, string][] {
  return phases.map((phase) => [
    `${formatSeconds(phase.from_seconds)} – ${formatSeconds(phase.to_seconds)}`,
    phase.says,
  ])
}

/** What the timeline cannot show; null where it shows all. */
export function timelineNote({ no_series: why, more_phases: more }: JobReportJson): string | null {
  if (why !== null) return `No timeline: ${why}. What follows is from the totals.`
  return more ? 'It changed more often than this: the most similar phases are shown as one.' : null
}

export function endsRows(report: JobReportJson): [string, string][] {
  const ends = (key: 'start_up_seconds' | 'idle_tail_seconds', none: string): string => {
    const seconds = report[key]
    if (seconds === null) return `not known (${report.unmeasured[key] ?? notMeasured})`
    return seconds === 0 ? none : formatSeconds(seconds)
  }
  return [
    ['Start-up', ends('start_up_seconds', 'none: busy from the first sample')],
    ['Idle tail', ends('idle_tail_seconds', 'none')],
    ['Samples', `${count(report.samples, 'sample')}${briefPeak(report)}`],
  ]
}

/** A peak that came and went between two looks is not in the timeline, but in the totals below it. */
function briefPeak({ phases, efficiency }: JobReportJson): string {
  const shown = Math.max(...phases.map(({ memory_peak_bytes: bytes }) => bytes ?? 0))
  const { used } = efficiency.memory
  if (!(shown > 0) || used === null || used < likeness.peakOfTimeline * shown) return ''
  return `; a memory peak of ${formatBytes(used)} was too brief for this timeline`
}

export function efficiencyRows({ efficiency, unmeasured }: JobReportJson): [string, string][] {
  const why = (name: string): string => unmeasured[`efficiency.${name}.share`] ?? notMeasured
  const cores = (value: number): string => `${fixedKeeping(value, 1)} cores`
  const cards = (value: number): string => `${fixedKeeping(value, 1)} GPUs`
  return [
    ['Cores', shareWords(efficiency.cores, cores, why('cores'))],
    ['Memory', shareWords(efficiency.memory, formatBytes, why('memory'))],
    ['GPU', shareWords(efficiency.gpu, cards, why('gpu'))],
    ['Time', shareWords(efficiency.time, formatSeconds, why('time'))],
  ]
}
