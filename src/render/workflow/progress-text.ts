import type { RunCounts } from '../../model/run-counts.ts'
import { displayWidth, fitWidth, padEndWidth, padStartWidth } from '../text/display-width.ts'
import { formatBytes, formatPercent, formatSeconds, notMeasured } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'

export interface ProgressView {
  readonly name: string
  readonly counts: RunCounts
  readonly elapsedSeconds: number
  readonly running: readonly JobLine[]
}

interface JobLine {
  readonly name: string
  readonly elapsedSeconds: number
  readonly cpuPercent: number | null
  readonly memoryBytes: number | null
  readonly requestedCpus: number | null
  readonly requestedMemoryBytes: number | null
}

const barWidth = 24

/**
 * One bar for the whole, one line for each running job. No line is wider than the terminal: one that wraps could not
 * be erased by counting lines.
 */
export function progressText(view: ProgressView, style: Style, columns: number): string {
  const { done, running, failed, blocked, ready, total } = view.counts
  const ended = done + failed
  const filled = total === 0 ? barWidth : Math.round((ended / total) * barWidth)
  const bar = style.green('█'.repeat(filled)) + style.dim('░'.repeat(barWidth - filled))
  const failures = failed > 0 ? `${failed} failed` : ''
  const words = [`${done} done`, `${running} running`, failures, `${blocked + ready} waiting`]
  const parts = [...words.filter(Boolean), timeLeft(view)].join(' · ')
  const painted = failed > 0 ? parts.replace(failures, style.red(failures)) : parts
  // What there is no room for is left out: first the name, then the bar.
  const room = columns - barWidth - displayWidth(parts) - 2
  const name = room < 4 ? '' : `${style.bold(fitWidth(printable(view.name), Math.min(room, 20)))} `
  const head = room < -1 ? fitWidth(parts, columns) : `${bar} ${name}${painted}`
  const lines = view.running.map((job) => fitWidth(jobLine(job), columns))
  return `${[head, ...lines].join('\n')}\n`
}

function jobLine(job: JobLine): string {
  const cpu = job.cpuPercent === null ? notMeasured : formatPercent(job.cpuPercent)
  const memory = job.memoryBytes === null ? notMeasured : formatBytes(job.memoryBytes)
  const ofCpu = job.requestedCpus === null ? '' : ` of ${job.requestedCpus * 100} %`
  const ofMemory =
    job.requestedMemoryBytes === null ? '' : ` of ${formatBytes(job.requestedMemoryBytes)}`
  return [
    `  ${padEndWidth(fitWidth(printable(job.name), 24), 24)}`,
    padStartWidth(formatSeconds(Math.max(0, job.elapsedSeconds)), 9),
    padEndWidth(`CPU ${cpu}${ofCpu}`, 20),
    `memory ${memory}${ofMemory}`,
  ].join('  ')
}

/** From how long it took so far; nothing is promised before a twentieth is done. */
function timeLeft({ counts, elapsedSeconds }: ProgressView): string {
  const ended = counts.done + counts.failed
  if (ended === 0 || ended < counts.total / 20) return formatSeconds(elapsedSeconds)
  const left = (elapsedSeconds / ended) * (counts.total - ended)
  return `about ${formatSeconds(left)} left`
}
