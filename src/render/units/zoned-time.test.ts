import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { isoTime, offsetSeconds, offsetText, shortTime } from './zoned-time.ts'

const before = process.env['TZ']
afterEach(() => {
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

const at = (iso: string): number => Date.parse(iso) / 1000

describe('times for people', () => {
  it.each([
    ['Asia/Kolkata', '2025-10-15T10:30:00Z', '2025-10-15 16:00:00 +05:30'],
    ['Asia/Kathmandu', '2025-10-15T20:30:00Z', '2025-10-16 02:15:00 +05:45'],
    ['America/St_Johns', '2025-01-15T00:15:00Z', '2025-01-14 20:45:00 -03:30'],
    ['Pacific/Apia', '2025-12-31T12:00:00Z', '2026-01-01 01:00:00 +13:00'],
    ['Europe/London', '2025-01-01T00:00:00Z', '2025-01-01 00:00:00 +00:00'],
    // The same hour of the clock, twice: before and after it is put back.
    ['America/New_York', '2025-11-02T05:30:00Z', '2025-11-02 01:30:00 -04:00'],
    ['America/New_York', '2025-11-02T06:30:00Z', '2025-11-02 01:30:00 -05:00'],
    ['Australia/Lord_Howe', '2025-04-05T14:45:00Z', '2025-04-06 01:45:00 +11:00'],
    ['Australia/Lord_Howe', '2025-04-05T15:15:00Z', '2025-04-06 01:45:00 +10:30'],
  ])('are those of %s', (zone, instant, text) => {
    process.env['TZ'] = zone
    expect(shortTime(at(instant), 'local')).toBe(text)
    expect(shortTime(at(instant), 'utc')).toBe(`${instant.slice(0, 19).replace('T', ' ')} UTC`)
  })

  it('have the shape of the job history, with the offset or a Z', () => {
    process.env['TZ'] = 'Asia/Kolkata'
    const seconds = at('2025-10-15T10:30:00Z') + 0.123456
    expect(isoTime(seconds, 'local')).toBe('2025-10-15T16:00:00.123456+05:30')
    expect(isoTime(seconds, 'utc')).toBe('2025-10-15T10:30:00.123456Z')
    for (const none of [Number.NaN, Infinity, 1e15])
      expect([isoTime(none, 'local'), shortTime(none, 'utc')]).toEqual(['–', '–'])
  })

  it('mean the moment that they were made of, in any zone', () => {
    const zones = ['Asia/Kolkata', 'America/St_Johns', 'America/New_York', 'Australia/Lord_Howe']
    const moment = fc.integer({ min: 0, max: 4e9 })
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (zone, seconds) => {
        process.env['TZ'] = zone
        expect(Date.parse(isoTime(seconds, 'local')) / 1000).toBe(seconds)
        const local = new Intl.DateTimeFormat('sv', {
          timeZone: zone,
          dateStyle: 'short',
          timeStyle: 'medium',
        })
        expect(shortTime(seconds, 'local').slice(0, 19)).toBe(local.format(seconds * 1000))
      }),
      { seed: 3, numRuns: 400 },
    )
  })

  it('tell how far a zone is from UTC', () => {
    process.env['TZ'] = 'America/St_Johns'
    expect(offsetSeconds(0, 'local')).toBe(-12_600)
    expect(offsetSeconds(0, 'utc')).toBe(0)
    expect([-12_600, 0, 20_700].map(offsetText)).toEqual(['-03:30', '+00:00', '+05:45'])
  })
})
