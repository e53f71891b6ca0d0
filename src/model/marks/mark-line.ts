import { markLimits, type Mark } from './mark.ts'

/** What a line says; the time only where it says one. */
export interface MarkLine extends Omit<Mark, 'timestamp' | 'elapsedSeconds'> {
  /** Seconds since 1970. */
  readonly time: number | null
}

/** A line of JSON, or of `key=value` words. A text says what is wrong with it. Keys that we do not know are passed over. */
export function parseMarkLine(line: string): MarkLine | string {
  const fields = line.startsWith('{') ? jsonFields(line) : wordFields(line)
  if (typeof fields === 'string') return fields
  const step = amountIn(fields, 'step')
  const epoch = amountIn(fields, 'epoch')
  const time = amountIn(fields, 'time')
  const phase = textIn(fields, 'phase', markLimits.phaseLength)
  const message = textIn(fields, 'message', markLimits.messageLength)
  const trouble = [step, epoch, time, phase, message].find((field) => field instanceof Trouble)
  if (trouble instanceof Trouble) return trouble.says
  const mark = { step, epoch, phase, message }
  return Object.values(mark).every((field) => field === null)
    ? 'it has no step, epoch, phase or message'
    : ({ ...mark, time } as MarkLine)
}

class Trouble {
  readonly says: string

  constructor(says: string) {
    this.says = says
  }
}

type Fields = ReadonlyMap<string, unknown>

function jsonFields(line: string): Fields | string {
  try {
    // Only an object begins with a brace.
    return new Map(Object.entries(JSON.parse(line) as object))
  } catch {
    return 'it is not valid JSON'
  }
}

/** `step=50 phase=train message="epoch begins"`: a value in quotes may have blanks. */
function wordFields(line: string): Fields | string {
  const fields = new Map<string, string>()
  const words = /\s*([A-Za-z_]+)=(?:"([^"]*)"|(\S*))(?=\s|$)/y
  let end = 0
  for (let found = words.exec(line); found !== null; found = words.exec(line)) {
    fields.set(found[1] ?? '', found[2] ?? found[3] ?? '')
    end = words.lastIndex
  }
  return line.slice(end).trim() === '' ? fields : 'it is neither JSON nor key=value words'
}

function amountIn(fields: Fields, key: string): number | null | Trouble {
  const value = fields.get(key) ?? null
  if (value === null || value === '') return null
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= Number.MAX_SAFE_INTEGER
    ? number
    : new Trouble(`its ${key} is not a number`)
}

function textIn(fields: Fields, key: string, mostLength: number): string | null | Trouble {
  const value = fields.get(key) ?? null
  if (value === null || value === '') return null
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return new Trouble(`its ${key} is not a text`)
  return text.toWellFormed().slice(0, mostLength).toWellFormed()
}
