import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someStart } from '../../../test/contracts/attempts.ts'
import { openSqliteLedger } from './open.ts'

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  path = join(directory, 'ledger.db')
})
afterEach(() => rmSync(directory, { recursive: true }))

const times = ['timestamp', 'elapsed_seconds']

describe('columns that are new to a ledger', () => {
  it('may be brought by several processes at once', () => {
    const ledgers = [openSqliteLedger(path), openSqliteLedger(path), openSqliteLedger(path)]
    const attempts = ledgers.map(({ jobs }, index) => jobs.begin(someStart(`task-${index}`)))
    const names = ['heat_joules', 'noise_decibels', 'heat_joules', 'light_lumens']
    names.forEach((name, round) =>
      ledgers.forEach(({ jobs }, index) => {
        const ref = attempts[index]
        if (ref === undefined) return
        const writer = jobs.writer(ref, [...times, name])
        writer.add(Float64Array.of(100 + round, round, 10 * round + index), 1)
        const rows = Float64Array.of(100 + round, round, 7)
        writer.addDevice({ kind: 'gpu', id: '0', columns: [...times, name], rows, count: 1 })
      }),
    )
    const [first] = ledgers
    ledgers.forEach((_, index) => {
      const series = first?.jobs.series(`task-${index}`)
      const columns = ['heat_joules', 'noise_decibels', 'light_lumens']
      expect(series?.read({ columns }).rows).toEqual([
        Float64Array.of(index, NaN, NaN),
        Float64Array.of(NaN, 10 + index, NaN),
        Float64Array.of(20 + index, NaN, NaN),
        Float64Array.of(NaN, NaN, 30 + index),
      ])
      expect(series?.devices()[0]?.rows).toHaveLength(4)
    })
    for (const ledger of ledgers) ledger.close()
  })

  it('are brought again where the transaction that brought them was undone', () => {
    const { jobs, batch, close } = openSqliteLedger(path)
    const writer = jobs.writer(jobs.begin(someStart('a')), [...times, 'heat_joules'])
    expect(() =>
      batch(() => {
        writer.add(Float64Array.of(100, 0, 1), 1)
        throw new Error('something else failed')
      }),
    ).toThrow('something else failed')
    expect(jobs.series('a').columns()).not.toContain('heat_joules')
    writer.add(Float64Array.of(101, 1, 2), 1)
    expect(jobs.series('a').read({ columns: ['heat_joules'] }).rows).toEqual([Float64Array.of(2)])
    close()
  })

  it('are columns that people may ask for by name, and rows of before have none', () => {
    const { jobs, close } = openSqliteLedger(path)
    jobs.writer(jobs.begin(someStart('a')), times).add(Float64Array.of(100, 0), 1)
    const writer = jobs.writer(jobs.begin(someStart('b')), [...times, 'heat_joules'])
    writer.add(Float64Array.of(100, 0, 3), 1)
    close()
    const database = new DatabaseSync(path)
    expect(database.prepare('SELECT elapsed_seconds, heat_joules FROM sample').all()).toEqual([
      { elapsed_seconds: 0, heat_joules: null },
      { elapsed_seconds: 0, heat_joules: 3 },
    ])
    database.close()
  })

  it('are too many at some point', () => {
    const { jobs, close } = openSqliteLedger(path)
    const ref = jobs.begin(someStart('a'))
    const more = Array.from({ length: 990 }, (_, index) => `column_${index}`)
    const row = new Float64Array(992)
    expect(() => jobs.writer(ref, [...times, ...more]).add(row, 1)).toThrow('too many kinds')
    expect(jobs.series('a').read().rows).toEqual([])
    close()
  })
})
