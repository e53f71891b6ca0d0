import { gigabyte, megabyte } from '../../model/bytes.ts'
import { formatIsoDuration } from '../../model/duration.ts'
import { hourSeconds } from '../../model/time-parts.ts'

type Written = string | number | undefined

/** A size in the way the one before it was written: `8g` to `13g`, `8 GiB` to `13 GiB`, `512M` to `600M`. */
export function sizeLike(before: Written, bytes: number): string {
  const [, blank = '', letter = 'g', rest = ''] =
    /^[\d.]+( ?)([kmgtp])(i?b?)$/i.exec(String(before ?? '').trim()) ?? []
  const isUpper = letter === letter.toUpperCase()
  const [amount, unit] =
    bytes % gigabyte === 0 ? [bytes / gigabyte, 'g'] : [Math.ceil(bytes / megabyte), 'm']
  return `${amount}${blank}${isUpper ? unit.toUpperCase() : unit}${rest}`
}

/** A length of time in the way the one before it was written: `PT2H`, `2h30m`, `02:30:00`, or seconds. */
export function durationLike(before: Written, seconds: number): string | number {
  if (typeof before === 'number') return seconds
  const text = (before ?? 'PT').trim()
  if (/^[\d.]+$/.test(text)) return String(seconds)
  if (text.includes(':')) return clock(seconds)
  const iso = formatIsoDuration(seconds)
  return text.startsWith('P') ? iso : iso.replaceAll(/[PT]/g, '').toLowerCase()
}

/** `HH:MM:SS`: it reads the same whatever stood before. */
function clock(seconds: number): string {
  const parts = [Math.floor(seconds / hourSeconds), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
