import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatIsoDuration, parseDuration, parseInstant } from './duration.ts'

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['90', 90],
    ['0.5', 0.5],
    ['90s', 90],
    ['5m', 300],
    ['1h30m', 5400],
    ['1h 30m', 5400],
    ['1.5h', 5400],
    ['90d', 90 * 86_400],
    ['2w', 14 * 86_400],
    ['250ms', 0.25],
    ['1s250ms', 1.25],
    ['1w2d3h4m5s6ms', 604_800 + 2 * 86_400 + 3 * 3600 + 4 * 60 + 5.006],
    ['PT2H30M', 9000],
    ['P1DT2H', 93_600],
    ['PT0.5S', 0.5],
    ['P1W', 604_800],
    ['P3D', 3 * 86_400],
    ['PT90M', 5400],
    ['02:30', 150],
    ['90:00', 5400],
    ['36:00:00', 36 * 3600],
    ['00:00:01', 1],
    ['1-12:00:00', 36 * 3600],
    [' 5m ', 300],
  ])('reads %j as %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  it.each([
    '',
    ' ',
    '-5m',
    '+5m',
    'NaN',
    'Infinity',
    '1e3',
    '5M',
    '5H',
    '5 minuets',
    '30m1h',
    '5m5m',
    'P',
    'PT',
    'P1DT',
    'P1Y',
    'P1M',
    'P1Y2M',
    '1y',
    '1mo',
    'pt5m',
    '1:60',
    '1:2',
    '1:00:60',
    '1-24:00:00',
    '1-2',
    ':30',
    '9'.repeat(400),
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  it('answers a finite, non-negative number or nothing, whatever it is given', () => {
    const near = fc.stringMatching(/^P?[-\d.:]{0,5}[wdhmsTHMSYD]{0,2}[-\d.:]{0,4}[wdhmsHMS]{0,2}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (text) => {
        const seconds = parseDuration(text)
        expect(seconds === undefined || (Number.isFinite(seconds) && seconds >= 0)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('reads each way to write the same clock alike', () => {
    const clock = fc.record({
      days: fc.integer({ min: 0, max: 99 }),
      hours: fc.integer({ min: 0, max: 23 }),
      minutes: fc.integer({ min: 0, max: 59 }),
      seconds: fc.integer({ min: 0, max: 59 }),
    })
    const two = (value: number) => String(value).padStart(2, '0')
    fc.assert(
      fc.property(clock, ({ days, hours, minutes, seconds }) => {
        const expected = days * 86_400 + hours * 3600 + minutes * 60 + seconds
        const ending = `${two(minutes)}:${two(seconds)}`
        expect(parseDuration(`${days}-${two(hours)}:${ending}`)).toBe(expected)
        expect(parseDuration(`${days * 24 + hours}:${ending}`)).toBe(expected)
        expect(parseDuration(`${days}d${hours}h${minutes}m${seconds}s`)).toBe(expected)
        expect(parseDuration(`P${days}DT${hours}H${minutes}M${seconds}S`)).toBe(expected)
        expect(parseDuration(String(expected))).toBe(expected)
      }),
    )
  })
})

describe('formatIsoDuration', () => {
  it.each([
    [0, 'PT0S'],
    [0.0004, 'PT0S'],
    [0.5, 'PT0.5S'],
    [10, 'PT10S'],
    [59.9996, 'PT1M'],
    [60, 'PT1M'],
    [600, 'PT10M'],
    [9000, 'PT2H30M'],
    [86_400, 'P1D'],
    [93_600, 'P1DT2H'],
    [86_400.25, 'P1DT0.25S'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatIsoDuration(seconds)).toBe(text)
  })

  it.each([-1, Number.NaN, Infinity])('refuses %d, which is no duration', (seconds) => {
    expect(() => formatIsoDuration(seconds)).toThrow(RangeError)
  })

  it('is read back to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (milliseconds) => {
        const seconds = milliseconds / 1000
        expect(parseDuration(formatIsoDuration(seconds))).toBeCloseTo(seconds, 3)
      }),
    )
  })
})

describe('parseInstant', () => {
  const now = new Date(2026, 4, 20, 15, 30).getTime() / 1000
  const local = (...parts: [number, number, number, number?, number?, number?]) =>
    new Date(...parts).getTime() / 1000

  it.each([
    ['2h', now - 7200],
    ['7d', now - 7 * 86_400],
    ['PT30M', now - 1800],
    ['9999w', 0],
    ['2026-05-01', local(2026, 4, 1)],
    ['2026-05-01T12:30', local(2026, 4, 1, 12, 30)],
    ['2026-05-01 12:30:15', local(2026, 4, 1, 12, 30, 15)],
    ['2026-05-01T12:30:15Z', Date.UTC(2026, 4, 1, 12, 30, 15) / 1000],
    ['2026-05-01T12:30:15.5Z', Date.UTC(2026, 4, 1, 12, 30, 15, 500) / 1000],
    ['2026-05-01T12:30+02:00', Date.UTC(2026, 4, 1, 10, 30) / 1000],
    ['2026-05-01T12:30-0530', Date.UTC(2026, 4, 1, 18, 0) / 1000],
    ['2024-02-29', local(2024, 1, 29)],
    ['1960-01-01', 0],
  ])('reads %j', (text, instant) => {
    expect(parseInstant(text, now)).toBe(instant)
  })

  it.each([
    '',
    '90',
    '2026',
    '10:30',
    '1-00:00:00',
    '-2h',
    'P1M',
    'tomorrow',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '0050-01-01',
    '2026-05-01T24:00',
    '2026-05-01T12',
    '05/01/2026',
  ])('refuses %j', (text) => {
    expect(parseInstant(text, now)).toBeUndefined()
  })

  it('reads back every moment that a Date can write since 1970', () => {
    const moments = fc.date({ min: new Date(0), max: new Date(2100, 0), noInvalidDate: true })
    fc.assert(
      fc.property(moments, (moment) => {
        expect(parseInstant(moment.toISOString(), now)).toBe(moment.getTime() / 1000)
      }),
    )
  })

  it('answers a finite, non-negative number or nothing, whatever it is given', () => {
    const near = fc.stringMatching(/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d{4})?)?$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (text) => {
        const instant = parseInstant(text, now)
        expect(instant === undefined || (Number.isFinite(instant) && instant >= 0)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
