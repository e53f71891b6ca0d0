import { BadRecord, quoted } from '../bad-record.ts'

/** The cells of a line of CSV, with quotes taken off. */
function csvCells(line: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at <= line.length) {
    if (line[at] !== '"') {
      const end = line.indexOf(',', at)
      const cell = line.slice(at, end < 0 ? undefined : end)
      cells.push(cell)
      at = end < 0 ? line.length + 1 : end + 1
      continue
    }
    const end = closingQuote(line, at + 1)
    cells.push(line.slice(at + 1, end).replaceAll('""', '"'))
    if (end + 1 < line.length && line[end + 1] !== ',')
      throw new BadRecord('it is not CSV', 'something follows a closing quote')
    at = end + 2
  }
  return cells
}

function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 2))
    if (line[at + 1] !== '"') return at
  throw new BadRecord('it is not CSV', 'a quote is never closed')
}

/** `name=value` cells by name. */
export function namedCells(cells: readonly string[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  for (const cell of cells) {
    const at = cell.indexOf('=')
    if (at <= 0) throw new BadRecord('it is not CSV of name=value', quoted(cell))
    const name = cell.slice(0, at)
    if (named.has(name)) throw new BadRecord('it names a field twice', quoted(name))
    named.set(name, cell.slice(at + 1))
  }
  return named
}

/** What versions up to 0.6 wrote: values in this order, those of GPUs perhaps left out. */
const positions = [
  'time',
  'host',
  'cores',
  'user',
  'job',
  'cmd',
  'cpu%',
  'cpukib',
  'gpus',
  'gpu%',
  'gpumem%',
  'gpukib',
]
const fewest = positions.indexOf('gpus')

/** The fields of a line, old or new. */
export function csvFields(line: string): ReadonlyMap<string, string> {
  const cells = csvCells(line)
  const isPositional = /^\d{4}-/.test(cells[0] ?? '')
  if (!isPositional) return namedCells(cells)
  if (cells.length < fewest || cells.length > positions.length)
    throw new BadRecord('it has too many or too few columns', `${cells.length}`)
  return new Map(cells.map((cell, index) => [positions[index] ?? '', cell]))
}
