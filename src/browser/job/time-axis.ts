import { clockLabel, clockTicks, clockWords } from '../../render/units/clock-label.ts'
import { timeLabel, timeTicks } from '../../render/units/time-label.ts'

/** How the times of charts are written; they are in seconds since the charts begin. */
export interface TimeAxis {
  ticks(from: number, to: number, wanted: number): number[]
  /** Beside the axis, where marks are so many seconds apart. */
  label(seconds: number, stepSeconds: number): string
  /** Of one moment, as exactly as the eye can point. */
  words(seconds: number, near: number): string
}

/** Of a job: how long it had been running. */
export const elapsedAxis: TimeAxis = {
  ticks: timeTicks,
  label: timeLabel,
  words: (seconds, near) => `after ${timeLabel(seconds, near)}`,
}

/** Of a node: what the clock showed. */
export const clockAxis = (startedAt: number): TimeAxis => ({
  ticks: (from, to, wanted) =>
    clockTicks(startedAt + from, startedAt + to, wanted).map((at) => at - startedAt),
  label: (seconds, step) => clockLabel(startedAt + seconds, step),
  words: (seconds) => clockWords(startedAt + seconds),
})
