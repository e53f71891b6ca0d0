import type { Mark } from '../../model/marks/mark.ts'
import { stretchesOf } from './marked.ts'
import type { PlotMoment, PlotPhase } from './plot-job.ts'

/** More lines than this would cover the plot. */
const mostMoments = 100

/** Marks of an attempt as plots show them: phases as bands, the beginnings of epochs and messages as lines. */
export function markedOnPlot(
  marks: readonly Mark[],
  { startedAt, endedAt }: { readonly startedAt: number; readonly endedAt: number },
): { readonly phases: PlotPhase[]; readonly marks: PlotMoment[] } {
  const endSeconds = endedAt - startedAt
  const phases = stretchesOf(marks, 'phase', endSeconds).map(
    ({ label, fromSeconds, toSeconds }): PlotPhase => ({
      startedAt: startedAt + fromSeconds,
      endedAt: startedAt + toSeconds,
      kind: 'unknown',
      label,
    }),
  )
  const epochs = stretchesOf(marks, 'epoch', endSeconds).map(({ label, fromSeconds }) => ({
    at: startedAt + fromSeconds,
    text: `epoch ${label}`,
  }))
  const messages = marks.flatMap(({ elapsedSeconds, message }) =>
    message === null ? [] : [{ at: startedAt + elapsedSeconds, text: message }],
  )
  return { phases, marks: [...epochs, ...messages].slice(0, mostMoments) }
}
