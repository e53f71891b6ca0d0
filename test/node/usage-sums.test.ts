import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heatMap } from '../../src/analysis/node/heat-map.ts'
import { inOrder } from '../../src/analysis/node/usage-order.ts'
import { isShared, usageKeys, usageMetrics, type UsageTable } from '../../src/model/node-usage.ts'
import { usageCsv, usageJson, usageText } from '../../src/render/node/usage.ts'
import { amountText } from '../../src/render/node/usage-labels.ts'
import { offsetsBetween } from '../../src/render/units/local-offsets.ts'
import { openNodeStore, type NodeStore } from '../../src/store/node/open-node.ts'
import { madeFrom, madeRounds } from './made-node.ts'

const [from, to] = [madeFrom, madeFrom + 14 * 86_400]
const someKeys = fc.uniqueArray(fc.constantFrom(...usageKeys), { maxLength: 3 })
const metrics = fc.constantFrom(...usageMetrics)
const zones = fc.constantFrom('Europe/Oslo', 'America/New_York', 'Asia/Tokyo', 'UTC')

const inZone = <T>(zone: string, act: () => T): T => {
  const before = process.env['TZ']
  process.env['TZ'] = zone
  try {
    return act()
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
}

/** Figures of memory over time have more digits than a number has: 12 of them must be right. */
const expectSame = (one: number | null, other: number | null): void =>
  expect(Math.abs((one ?? 0) - (other ?? 0))).toBeLessThanOrEqual(1e-12 * Math.abs(other ?? 0))

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

describe('usage', () => {
  let folder = ''
  let store: NodeStore
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
    store = openNodeStore(join(folder, 'node.db'))
    for (const round of madeRounds()) store.addRound(round)
  })
  afterAll(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })
  const ask = (
    question: Partial<Parameters<NodeStore['reader']['usage']>[0]>,
    zone = 'UTC',
  ): UsageTable => {
    const offsets = inZone(zone, () => offsetsBetween(from, to, 'local'))
    return store.reader.usage({ by: [], metric: 'cpu', from, to, offsets, ...question })
  }

  it('has the same total whatever it is told by, and the same capacity', () => {
    fc.assert(
      fc.property(someKeys, metrics, zones, (by, metric, zone) => {
        const whole = ask({ metric }, zone)
        const told = ask({ by, metric }, zone)
        expectSame(sum(told.rows.map(({ amount }) => amount)), whole.total)
        expectSame(told.total, whole.total)
        expectSame(told.capacity, whole.capacity)
        expectSame(sum(told.room.map(({ capacity }) => capacity)), whole.capacity)
        expect(told.observedSeconds).toBe(whole.observedSeconds)
      }),
      { numRuns: 60 },
    )
  })

  it('is the sum of its days of the week and of its hours', () => {
    const split = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(split, fc.integer({ min: 1, max: 23 }), zones, (weekdays, hour, zone) => {
        const others = [0, 1, 2, 3, 4, 5, 6].filter((day) => !weekdays.includes(day))
        const hours = Array.from({ length: 24 }, (_, at) => at)
        const whole = ask({}, zone)
        const parts = [
          ask({ weekdays, hours: hours.slice(0, hour) }, zone),
          ask({ weekdays, hours: hours.slice(hour) }, zone),
          ask({ weekdays: others }, zone),
        ]
        expectSame(sum(parts.map(({ total }) => total)), whole.total)
        expect(sum(parts.map(({ capacity }) => capacity))).toBe(whole.capacity)
      }),
      { numRuns: 40 },
    )
  })

  it('is in a heat map what it is in the table', () => {
    fc.assert(
      fc.property(
        metrics,
        zones,
        fc.constantFrom('user', 'host', 'command'),
        (metric, zone, by) => {
          const usage = ask({ by: ['hour-of-week', by], metric }, zone)
          const map = heatMap(usage)
          expectSame(map.all.total.amount ?? 0, usage.total)
          expectSame(sum(map.parts.map(({ total }) => total.amount)), usage.total)
          expect(map.all.total.observedSeconds).toBe(usage.observedSeconds)
          for (const { level, observedSeconds } of map.all.cells)
            expect(level !== null && observedSeconds === 0).toBe(false)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('has the same figures in tables, CSV and JSON', () => {
    fc.assert(
      fc.property(someKeys, metrics, zones, (keys, metric, zone) => {
        const by = keys.length === 0 ? (['user'] as const) : keys
        const found = ask({ by, metric }, zone)
        const usage = { ...found, rows: inOrder(found.rows, by) }
        const json = usageJson(usage, { by, metric }) as {
          unit: string
          rows: Record<string, string | number | null>[]
        }
        const [header = '', ...lines] = usageCsv(usage, { by, metric }).trim().split('\n')
        expect(header.split(',')).toEqual(Object.keys(json.rows[0] ?? {}))
        expect(lines).toEqual(
          json.rows.map((row) =>
            Object.values(row)
              .map((value) => value ?? '')
              .join(','),
          ),
        )
        const text = usageText(usage, { by, metric }).split('\n')
        expect(text).toHaveLength(lines.length + 4)
        for (const [at, row] of json.rows.entries())
          expect(text[at + 1]).toContain(amountText(metric, row[json.unit] as number | null))
      }),
      { numRuns: 30 },
    )
  })

  it('has days of 25 hours, and the hour that comes twice counts twice', () => {
    const autumn = openNodeStore(join(folder, 'autumn.db'))
    const [round] = madeRounds()
    if (round === undefined) throw new Error('no round')
    const start = Date.UTC(2026, 9, 24, 12) / 1000
    for (let hour = 1; hour <= 48; hour += 1)
      autumn.addRound({ ...round, at: start + hour * 3600, seconds: 3600 })
    const question = { metric: 'cpu', from: start, to: start + 48 * 3600 } as const
    const offsets = inZone('Europe/Oslo', () => offsetsBetween(start, question.to, 'local'))
    const hoursOf = (by: 'day' | 'hour' | 'hour-of-week', keys: readonly number[]): number[] =>
      autumn.reader
        .usage({ ...question, by: [by], offsets })
        .room.filter((one) => keys.includes(Number(one.keys[0])))
        .map(({ observedSeconds }) => observedSeconds / 3600)
    const sunday = Date.UTC(2026, 9, 25) / 86_400e3
    expect(hoursOf('day', [sunday - 1, sunday, sunday + 1])).toEqual([10, 25, 13])
    expect(hoursOf('hour-of-week', [6 * 24 + 1, 6 * 24 + 2, 6 * 24 + 3])).toEqual([1, 2, 1])
    autumn.close()
  })

  it('counts neither use nor capacity of time in which nobody looked', () => {
    const asked = ask({ by: ['host'], from: madeFrom + 51 * 3600, to: madeFrom + 52 * 3600 })
    expect(asked.room.map(({ keys }) => keys[0])).toEqual(['gpu01'])
    expect(asked.capacity).toBe(32 * 3600)
    expect(usageKeys.filter(isShared)).toHaveLength(6)
  })
})
