import type uPlot from 'uplot'
import type { ChartLine, ChartUnit, JobChartData } from '../../model/job-chart-data.ts'
import { markLine, phaseShades } from '../../render/palette.ts'

/** Phases as bands behind the lines of a chart, marks as lines across it. */
export function drawBands(u: uPlot, { phases }: Pick<JobChartData, 'phases'>): void {
  const { ctx, bbox } = u
  ctx.save()
  clip(u)
  for (const [index, { from_seconds: from, to_seconds: to }] of phases.entries()) {
    const [left, right] = [from, to].map((at) => u.valToPos(at, 'x', true)) as [number, number]
    ctx.fillStyle = phaseShades[index % 2] ?? ''
    ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  ctx.restore()
}

export function drawMarks(
  u: uPlot,
  { marks }: Pick<JobChartData, 'marks'>,
  lines: readonly ChartLine[],
  colourOf: (unit: ChartUnit) => string,
): void {
  const { ctx, bbox } = u
  const ratio = devicePixelRatio
  ctx.save()
  clip(u)
  ctx.lineWidth = ratio
  ctx.strokeStyle = markLine
  ctx.setLineDash([2 * ratio, 3 * ratio])
  for (const { at_seconds: at } of marks) {
    const x = u.valToPos(at, 'x', true)
    line(ctx, x, bbox.top, x, bbox.top + bbox.height)
  }
  for (const { kind, unit, value } of lines) {
    const y = u.valToPos(value, unit, true)
    ctx.strokeStyle = colourOf(unit)
    ctx.setLineDash(kind === 'request' ? [5 * ratio, 4 * ratio] : [])
    line(ctx, bbox.left, y, bbox.left + bbox.width, y)
  }
  ctx.restore()
}

function clip({ ctx, bbox }: uPlot): void {
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
}

function line(
  ctx: CanvasRenderingContext2D,
  ...[x0, y0, x1, y1]: [number, number, number, number]
) {
  ctx.beginPath()
  ctx.moveTo(x0, y0)
  ctx.lineTo(x1, y1)
  ctx.stroke()
}

/** A ring around the highest sample of a chart with one line. */
export function drawPeak(u: uPlot, seconds: number, value: number, scale: string, colour: string) {
  const { ctx } = u
  ctx.save()
  clip(u)
  ctx.lineWidth = 1.6 * devicePixelRatio
  ctx.strokeStyle = colour
  ctx.beginPath()
  const [x, y] = [u.valToPos(seconds, 'x', true), u.valToPos(value, scale, true)]
  ctx.arc(x, y, 4 * devicePixelRatio, 0, 2 * Math.PI)
  ctx.stroke()
  ctx.restore()
}
