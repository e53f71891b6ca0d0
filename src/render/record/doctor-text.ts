import type { DoctorReport, Rung } from '../../model/doctor.ts'
import { displayWidth, wrapWords } from '../text/display-width.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'

const columns = 80
const marks = { yes: '✓', no: '✗', partly: '~' } as const
const colours = { yes: 'green', no: 'red', partly: 'yellow' } as const

export function doctorText(report: DoctorReport, style: Style): string {
  const title = `jobmeter ${report.version} on ${report.host} (Linux ${report.kernel}, Node ${report.node})`
  const nameWidth = Math.max(0, ...report.rungs.map((rung) => displayWidth(printable(rung.name))))
  const rows = report.rungs.flatMap((rung) => rungRows(rung, columns - nameWidth - 5, style))
  const layout = ['', '', ''].map((header) => ({ header, align: 'left' as const }))
  return `${style.bold(printable(title))}\n\n${table(layout, rows)}\n`
}

/** The finding beside the name, and under it what to do about it. */
function rungRows(rung: Rung, width: number, style: Style): string[][] {
  const finding = wrapWords(printable(rung.finding), width)
  const remedy = rung.remedy === null ? [] : wrapWords(`→ ${printable(rung.remedy)}`, width)
  const texts = [...finding, ...remedy.map(style.yellow)]
  return texts.map((text, index) =>
    index === 0
      ? [style[colours[rung.state]](marks[rung.state]), printable(rung.name), text]
      : ['', '', text],
  )
}
