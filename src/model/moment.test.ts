import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseMoment } from './moment.ts'

/** A Wednesday. */
const now = new Date(2026, 2, 11, 15, 30).getTime() / 1000
const day = (month: number, date: number, hours = 0, minutes = 0): number =>
  new Date(2026, month - 1, date, hours, minutes).getTime() / 1000

describe('parseMoment', () => {
  it.each([
    ['2026-03-01', day(3, 1), day(3, 2)],
    ['2026-02', day(2, 1), day(3, 1)],
    ['2026', day(1, 1), day(13, 1)],
    ['today', day(3, 11), day(3, 12)],
    ['yesterday', day(3, 10), day(3, 11)],
    ['last monday', day(3, 9), day(3, 10)],
    ['Last  Wednesday', day(3, 4), day(3, 5)],
    ['wednesday', day(3, 11), day(3, 12)],
    ['thu', day(3, 5), day(3, 6)],
    ['this week', day(3, 9), day(3, 16)],
    ['last week', day(3, 2), day(3, 9)],
    ['this month', day(3, 1), day(4, 1)],
    ['last month', day(2, 1), day(3, 1)],
    ['last year', day(-11, 1), day(1, 1)],
    ['march', day(3, 1), day(4, 1)],
    ['last march', day(-9, 1), day(-8, 1)],
    ['apr', day(-8, 1), day(-7, 1)],
  ])('%j begins and ends', (text, from, to) => {
    expect(parseMoment(text, now, 'from')).toBe(from)
    expect(parseMoment(text, now, 'to')).toBe(to)
  })

  it.each([
    ['now', now],
    ['7d', now - 7 * 86_400],
    ['7 days ago', now - 7 * 86_400],
    ['last 7 days', now - 7 * 86_400],
    ['2 hours ago', now - 7200],
    ['an hour ago', now - 3600],
    ['a week ago', now - 7 * 86_400],
    ['P1D', now - 86_400],
    ['3 months ago', day(0, 11, 15, 30)],
    ['2026-03-01T10:00', day(3, 1, 10)],
    ['2026-03-01 10:00', day(3, 1, 10)],
    ['2026-03-01T10:00Z', Date.UTC(2026, 2, 1, 10) / 1000],
    ['yesterday 14:30', day(3, 10, 14, 30)],
    ['last monday at 8:00', day(3, 9, 8)],
  ])('%j is one moment', (text, at) => {
    expect(parseMoment(text, now, 'from')).toBe(at)
    expect(parseMoment(text, now, 'to')).toBe(at)
  })

  it.each([
    '',
    'last',
    'last blursday',
    '2026-02-30',
    '2026-13',
    '10:30',
    'soon',
    '7',
    'this monday',
    'yesterday 25:00',
    'last week 10:00',
    '2026-03-01T25:00',
    'ago',
    'd ago',
    '0 fortnights',
  ])('does not take %j', (text) => {
    expect(parseMoment(text, now, 'from')).toBeUndefined()
    expect(parseMoment(text, now, 'from', 'utc')).toBeUndefined()
  })

  it('takes days of Greenwich where it is asked to', () => {
    const utc = (text: string) =>
      parseMoment(text, Date.UTC(2026, 2, 11, 0, 10) / 1000, 'from', 'utc')
    expect(utc('yesterday')).toBe(Date.UTC(2026, 2, 10) / 1000)
    expect(utc('2026-03-01T10:00')).toBe(Date.UTC(2026, 2, 1, 10) / 1000)
    expect(utc('2026-03-01T10:00+02:00')).toBe(Date.UTC(2026, 2, 1, 8) / 1000)
  })

  it('answers something or nothing to any text, and what ends does not end before it begins', () => {
    const word = fc.constantFrom(
      ...'last this week month monday march ago 7 d days today yesterday at a year 31'.split(' '),
      '2026-03-01',
      '10:00',
      '2024-02',
    )
    const typed = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 4 }).map((all) => all.join(' ')),
    )
    fc.assert(
      fc.property(typed, fc.constantFrom('local', 'utc'), (text, zone) => {
        const from = parseMoment(text, now, 'from', zone)
        const to = parseMoment(text, now, 'to', zone)
        expect(from === undefined).toBe(to === undefined)
        if (from === undefined || to === undefined) return
        expect(Number.isFinite(from)).toBe(true)
        expect(to).toBeGreaterThanOrEqual(from)
      }),
      { seed: 13, numRuns: 2000 },
    )
  })
})

describe('days of 23 and 25 hours', () => {
  const before = process.env['TZ']
  beforeAll(() => {
    process.env['TZ'] = 'Europe/Oslo'
  })
  afterAll(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })
  const hours = (text: string, at: number): number =>
    ((parseMoment(text, at, 'to') ?? 0) - (parseMoment(text, at, 'from') ?? 0)) / 3600

  it('are as long as they are', () => {
    const noon = new Date(2026, 3, 1, 12).getTime() / 1000
    expect(hours('2026-03-29', noon)).toBe(23)
    expect(hours('last sunday', noon)).toBe(23)
    expect(hours('2026-10-25', noon)).toBe(25)
    expect(hours('last week', noon)).toBe(7 * 24 - 1)
    expect(hours('2026', noon)).toBe(365 * 24)
  })

  it('follow one another without a hole, whatever the day', () => {
    const start = Date.UTC(2026, 0, 1, 12) / 1000
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), (days) => {
        const at = start + days * 86_400
        const ends = parseMoment('yesterday', at, 'to')
        expect(parseMoment('today', at, 'from')).toBe(ends)
        const iso = (seconds: number): string =>
          new Date(seconds * 1000).toLocaleDateString('sv-SE', { timeZone: 'Europe/Oslo' })
        expect(parseMoment(iso(at), at, 'from')).toBe(ends)
      }),
      { seed: 13 },
    )
  })
})
