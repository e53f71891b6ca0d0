import { displayWidth, wrapWords } from '../text/display-width.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'

/** What can be measured on this machine. As JSON it is this object itself. */
export interface DoctorReport {
  readonly version: string
  readonly node: string
  readonly kernel: string
  readonly host: string
  readonly rungs: readonly Rung[]
}

/** One way to measure: whether it works here, what was found, and what would make it work. */
export interface Rung {
  readonly name: string
  readonly state: 'yes' | 'no' | 'partly'
  readonly finding: string
  readonly remedy: string | null
}

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
