import type { ParameterValue } from './parameter-values.ts'

interface Format {
  readonly fill: string
  readonly align: '<' | '>' | '^' | '=' | null
  readonly sign: '+' | '-' | ' '
  readonly width: number
  readonly grouped: boolean
  readonly precision: number | null
  readonly type: string | null
}

const pattern = /^(?:(.)?([<>^=]))?([-+ ])?(0)?(\d{1,3})?(,)?(?:\.(\d{1,2}))?([bdeEfFgGosxX])?$/su

/**
 * A format as Python writes it: `03d`, `.4f`, `>8`, `x`. Undefined for anything else.
 * That is what the files people already have use, and what most of them know from f-strings.
 */
export function parseFormat(text: string): Format | undefined {
  const match = pattern.exec(text)
  if (match === null || text === '') return undefined
  const [, fill, align, sign, zero, width, comma, precision, type] = match
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: isAlign(align) ? align : zero === undefined ? null : '=',
    sign: sign === '+' || sign === ' ' ? sign : '-',
    width: Number(width ?? 0),
    grouped: comma !== undefined,
    precision: precision === undefined ? null : Number(precision),
    type: type ?? null,
  }
}

const isAlign = (text: string | undefined): text is '<' | '>' | '^' | '=' =>
  text !== undefined && '<>^='.includes(text)

/** Undefined where the value is not of the kind that the format is for. */
export function formatValue(value: ParameterValue, format: Format): string | undefined {
  const { type } = format
  if (type === 's' || (type === null && typeof value !== 'number')) {
    const text = String(value)
    return pad('', format.precision === null ? text : text.slice(0, format.precision), format, '<')
  }
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  const digits = magnitude(Math.abs(number), format)
  if (digits === undefined) return undefined
  const negative = number < 0
  const sign = negative ? '-' : format.sign === '-' ? '' : format.sign
  return pad(sign, format.grouped ? group(digits) : digits, format, '>')
}

const bases: Readonly<Record<string, number>> = { b: 2, o: 8, d: 10, x: 16, X: 16 }

function magnitude(number: number, { type, precision }: Format): string | undefined {
  if (type === null) return precision === null ? String(number) : general(number, precision)
  const base = bases[type]
  if (base !== undefined) {
    if (!Number.isSafeInteger(number) || precision !== null) return undefined
    const digits = number.toString(base)
    return type === 'X' ? digits.toUpperCase() : digits
  }
  const text = fractional(number, type.toLowerCase(), precision ?? 6)
  return type === type.toLowerCase() ? text : text.toUpperCase()
}

function fractional(number: number, type: string, precision: number): string {
  if (type === 'e') return twoDigitExponent(number.toExponential(precision))
  return type === 'f' ? fixed(number, precision) : general(number, precision)
}

/** `toFixed` rounds 2.5 up to 3, Python to the even 2. Only exact halves differ, and 55 digits tell. */
function fixed(number: number, precision: number): string {
  const digits = number.toFixed(Math.min(100, precision + 55))
  const end = digits.indexOf('.') + 1 + precision
  const isHalf = /^50*$/.test(digits.slice(end))
  const cut = digits.slice(0, precision === 0 ? end - 1 : end)
  return isHalf && Number(cut.at(-1)) % 2 === 0 ? cut : number.toFixed(precision)
}

function general(number: number, precision: number): string {
  const significant = Math.max(1, precision)
  const scientific = number.toExponential(significant - 1)
  const exponent = Number(scientific.split('e')[1])
  if (exponent < -4 || exponent >= significant) {
    const [mantissa = '', power = ''] = scientific.split('e')
    return twoDigitExponent(`${trimZeros(mantissa)}e${power}`)
  }
  return trimZeros(number.toFixed(significant - 1 - exponent))
}

const trimZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

const twoDigitExponent = (text: string): string => text.replace(/([-+])(\d)$/, '$10$2')

const group = (digits: string): string =>
  digits.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','))

function pad(sign: string, digits: string, format: Format, usual: '<' | '>'): string {
  const missing = Math.max(0, format.width - Array.from(sign + digits).length)
  const filling = format.fill.repeat(missing)
  switch (format.align ?? usual) {
    case '=':
      return sign + filling + digits
    case '<':
      return sign + digits + filling
    case '^': {
      const left = format.fill.repeat(Math.floor(missing / 2))
      return left + sign + digits + format.fill.repeat(missing - Math.floor(missing / 2))
    }
    case '>':
      return filling + sign + digits
  }
}
