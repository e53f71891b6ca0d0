import type { PhaseKind } from '../../analysis/series/phases.ts'
import { displayWidth } from '../text/display-width.ts'
import { markLine, phaseShades } from '../palette.ts'
import { formatSeconds } from '../units/figures.ts'
import type { PlotNote, PlotShape } from './figure.ts'
import type { PlotJob, PlotPhase } from '../../analysis/series/plot-job.ts'
import { plotText, shortName } from './plot-text.ts'

/** What is marked on a job's timeline: phases, where attempts began, where the requested runtime was over. */
export function jobMarks(job: PlotJob): { shapes: PlotShape[]; annotations: PlotNote[] } {
  const timeline = timelineOf(job)
  const runtimes = runtimeMarks(job, timeline)
  // The first have room for their words: one runtime says what all are, attempts are more than one.
  const marks = [
    ...runtimes.slice(-1),
    ...attemptMarks(job),
    ...toldMarks(job),
    ...runtimes.slice(0, -1),
  ]
  return {
    shapes: [...phaseShapes(job), ...marks.toSorted((a, b) => a.at - b.at).flatMap(lineShape)],
    annotations: [
      ...notes(phaseMarks(job, timeline), timeline, 0),
      ...notes(marks, timeline, notesPixels / 2),
    ],
  }
}

/** Two lines of notes above the uppermost strip, where no line runs through them: attempts above phases. */
export const notesPixels = 30

interface Timeline {
  readonly from: number
  readonly to: number
}

interface Mark {
  readonly at: number
  readonly text: string
  /** None for what lies outside the plot, or is shaded anyway. */
  readonly dash: 'dot' | 'dash' | null
}

/** From the first start to the last end, or to where the requested runtime is over, if that is not far from it. */
function timelineOf(job: PlotJob): Timeline {
  const from = job.attempts[0]?.curves.startedAt ?? 0
  const last = job.attempts.at(-1)?.curves
  const seen = Math.max(from, ...job.attempts.map(({ curves }) => curves.endedAt))
  const over = (last?.startedAt ?? from) + (job.requestedRuntimeSeconds ?? 0)
  return { from, to: over > seen && over <= seen + (seen - from) ? over : seen }
}

function runtimeMarks(job: PlotJob, { to }: Timeline): Mark[] {
  const runtime = job.requestedRuntimeSeconds
  if (runtime === null) return []
  const text = `requested runtime ${formatSeconds(runtime)}`
  return job.attempts.flatMap(({ curves }, index): Mark[] => {
    const at = curves.startedAt + runtime
    if (at <= curves.endedAt) return [{ at, text, dash: 'dash' }]
    // An attempt that was given up before then says no more than the next one.
    if (index < job.attempts.length - 1) return []
    return [at <= to ? { at, text, dash: 'dash' } : { at: to, text: `${text} →`, dash: null }]
  })
}

const attemptMarks = (job: PlotJob): Mark[] =>
  job.attempts.slice(1).map(({ label, curves }) => ({
    at: curves.startedAt,
    text: shortName(label, 40),
    dash: 'dot',
  }))

/** What the program itself told of. */
const toldMarks = (job: PlotJob): Mark[] =>
  job.attempts.flatMap(({ marks = [] }) =>
    marks.map(({ at, text }) => ({ at, text: shortName(text, 40), dash: 'dot' as const })),
  )

/** In less of the plot's width no word has room. */
const narrowShare = 0.05

const phaseMarks = (job: PlotJob, { from, to }: Timeline): Mark[] =>
  job.attempts.flatMap(({ phases }) =>
    phases
      .filter(({ startedAt, endedAt }) => endedAt - startedAt > (to - from) * narrowShare)
      .filter((phase, index, wide) => phaseName(phase) !== phaseName(wide[index - 1]))
      .map((phase) => ({ at: phase.startedAt, text: phaseName(phase), dash: null })),
  )

const phaseName = (phase: PlotPhase | undefined): string =>
  phase === undefined
    ? ''
    : phase.label === undefined
      ? phaseWords[phase.kind]
      : shortName(phase.label, 40)

const phaseWords: Readonly<Record<PhaseKind, string>> = {
  idle: 'idle',
  io: 'I/O',
  light: 'light work',
  'one-core': 'one core',
  parallel: 'parallel',
  unknown: '',
}

const acrossAll = { xref: 'x', yref: 'paper', y0: 0, y1: 1, layer: 'below' } as const
const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

const phaseShapes = (job: PlotJob): PlotShape[] =>
  job.attempts.flatMap(({ phases }) =>
    phases.map(({ startedAt, endedAt }, index) => ({
      type: 'rect',
      ...acrossAll,
      x0: milliseconds(startedAt),
      x1: milliseconds(endedAt),
      line: { width: 0 },
      fillcolor: phaseShades[index % 2 === 0 ? 0 : 1],
    })),
  )

const lineShape = ({ at, dash }: Mark): PlotShape[] =>
  dash === null
    ? []
    : [
        {
          type: 'line',
          ...acrossAll,
          x0: milliseconds(at),
          x1: milliseconds(at),
          line: { color: markLine, width: 1, dash },
        },
      ]

/** In a small window: how much of the plot's width a column of a note takes. */
const columnShare = 7 / 850

/** Those that have room beside the ones before them in the list; to the left of their place where the right has none. */
function notes(marks: readonly Mark[], { from, to }: Timeline, yshift: number): PlotNote[] {
  const taken: (readonly [number, number])[] = []
  return marks.flatMap(({ at, text }) => {
    const place = to > from ? (at - from) / (to - from) : 0
    const width = (displayWidth(text) + 1) * columnShare
    const isLeft = place + width > 1 && place > width
    const [start, end] = isLeft ? [place - width, place] : [place, place + width]
    if (taken.some(([left, right]) => start < right && left < end)) return []
    taken.push([start, end])
    return [
      {
        x: milliseconds(at),
        y: 1,
        yshift,
        xref: 'x',
        yref: 'paper',
        xanchor: isLeft ? 'right' : 'left',
        yanchor: 'bottom',
        text: plotText(text),
        showarrow: false,
        font: { size: 11 },
      },
    ]
  })
}
