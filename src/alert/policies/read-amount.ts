import type { FigureUnit } from '../../analysis/policies/figure-list.ts'
import { parseBytes } from '../../model/bytes.ts'
import { parseDuration } from '../../model/duration.ts'

const percent = /^(\d+(?:\.\d+)?) ?%$/
const plain = /^\d+(?:\.\d+)?$/

const number = (text: string): number | undefined => (plain.test(text) ? Number(text) : undefined)

const readers: Readonly<Record<FigureUnit, (text: string) => number | undefined>> = {
  share(text) {
    const [, digits] = percent.exec(text) ?? []
    return digits === undefined ? number(text) : Number(digits) / 100
  },
  seconds: parseDuration,
  hours(text) {
    const seconds = parseDuration(text)
    return seconds === undefined ? undefined : seconds / 3600
  },
  bytes: parseBytes,
  'bytes/s': (text) => parseBytes(text.replace(/\/s$/, '')),
  cores: number,
  count: number,
}

const examples: Readonly<Record<FigureUnit, string>> = {
  share: 'a share, such as 25% or 0.25',
  seconds: 'a duration, such as 2h or 7200',
  hours: 'a time, such as 50 (hours) or 2d',
  bytes: 'a size, such as 20g',
  'bytes/s': 'a size a second, such as 100m',
  cores: 'a number of cores',
  count: 'a number',
}

/** A threshold in the unit of its figure; undefined if it is none. A number alone is in that unit. */
export const readAmount = (unit: FigureUnit, written: number | string): number | undefined =>
  typeof written === 'number' ? written : readers[unit](written.trim())

export const amountWords = (unit: FigureUnit): string => examples[unit]
