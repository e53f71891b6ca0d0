const [width, height] = [120, 28] as const

interface Point {
  readonly x: number
  readonly y: number
}

/** A small line through the latest values; null is a gap. */
export function Spark({
  values,
  times = values.map((_value, index) => index),
  most,
  label,
  tone = 'cpu',
}: {
  /** When each value was taken, where they are not evenly spaced, as looks at a job that begins. */
  readonly times?: readonly number[]
  readonly values: readonly (number | null)[]
  /** The upper end of the scale, where it is not the highest of the values. */
  readonly most?: number | undefined
  readonly label: string
  readonly tone?: 'cpu' | 'memory' | 'gpu' | 'quiet'
}) {
  const runs = runsOf(times, values, most)
  const line = runs
    .map((run) => `M${run.map(place).join('L')}${run.length === 1 ? dot : ''}`)
    .join('')
  const area = runs.map((run) => `M${run[0]?.x} ${height}L${run.map(place).join('L')}V${height}Z`)
  return (
    <svg
      class={`small-spark ${tone}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="area" d={area.join('')} />
      <path class="line" vector-effect="non-scaling-stroke" d={line} />
    </svg>
  )
}

/** What stands alone between two gaps. */
const dot = 'h0.1'

const place = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`

/** The stretches without a gap. */
function runsOf(
  times: readonly number[],
  values: readonly (number | null)[],
  most: number | undefined,
): Point[][] {
  const top = Math.max(most ?? 0, ...values.map((value) => value ?? 0)) || 1
  const [from = 0, to = 0] = [times[0], times.at(-1)]
  const runs: Point[][] = []
  let run: Point[] = []
  for (const [index, value] of values.entries()) {
    if (value === null) run = []
    else {
      if (run.length === 0) runs.push(run)
      const x = to > from ? (((times[index] ?? 0) - from) / (to - from)) * width : 0
      run.push({ x, y: 1.5 + (1 - value / top) * (height - 3) })
    }
  }
  return runs
}
