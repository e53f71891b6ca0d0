import type { AttemptCurves, MetricCurve } from '../../analysis/series/job-curves.ts'
import { offsetSeconds, offsetText, type Zone } from '../units/zoned-time.ts'
import type { PlotJob } from '../../analysis/series/plot-job.ts'

/** The clock under a plot. It keeps the offset of its start: one that is put back would draw time backwards. */
export interface PlotClock {
  readonly offsetSeconds: number
  /** What stands under the axis. */
  readonly title: string
}

export function plotClock(jobs: readonly PlotJob[], zone: Zone): PlotClock {
  const starts = jobs.flatMap(({ attempts }) => attempts[0]?.curves.startedAt ?? [])
  const first = starts.reduce((least, start) => Math.min(least, start), Infinity)
  const ahead = offsetSeconds(first, zone)
  return { offsetSeconds: ahead, title: `Time (UTC${ahead === 0 ? '' : offsetText(ahead)})` }
}

/** Plotly shows every time as UTC, so that times are moved to where the clock shows them. */
export function onClock(job: PlotJob, { offsetSeconds: ahead }: PlotClock): PlotJob {
  if (ahead === 0) return job
  return {
    ...job,
    attempts: job.attempts.map(({ curves, phases, ...rest }) => ({
      ...rest,
      curves: moved(curves, ahead),
      phases: phases.map((phase) => ({
        ...phase,
        startedAt: phase.startedAt + ahead,
        endedAt: phase.endedAt + ahead,
      })),
    })),
  }
}

function moved(curves: AttemptCurves, ahead: number): AttemptCurves {
  const later = (curve: MetricCurve): MetricCurve => ({
    ...curve,
    times: curve.times.map((time) => time + ahead),
  })
  const { metrics } = curves
  return {
    ...curves,
    startedAt: curves.startedAt + ahead,
    endedAt: curves.endedAt + ahead,
    metrics: {
      cpuPercent: later(metrics.cpuPercent),
      memoryBytes: later(metrics.memoryBytes),
      processes: later(metrics.processes),
      readBytesPerSecond: later(metrics.readBytesPerSecond),
      writeBytesPerSecond: later(metrics.writeBytesPerSecond),
    },
  }
}
