import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../../../test/contracts/attempts.ts'
import { measured, unmeasured, type Measured } from '../../../model/measured.ts'
import { emptyUsage, usageKeys, type Usage } from '../../../model/usage.ts'
import type { Ledger } from '../ledger.ts'
import { openSqliteLedger } from '../open.ts'

let path: string
let ledger: Ledger
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'jobmeter-usages-')), 'ledger.db')
  ledger = openSqliteLedger(path)
})
afterEach(() => {
  ledger.close()
  rmSync(join(path, '..'), { recursive: true })
})

let attempts = 0
function keep(usage: Usage): string {
  const taskId = `task-${(attempts += 1)}`
  ledger.jobs.finish(ledger.jobs.begin(someStart(taskId)), { ...someEnd(), usage })
  return taskId
}

const usageOf = (taskId: string): Usage | undefined =>
  ledger.jobs.findByPrefix(taskId).find((record) => record.taskId === taskId)?.usage

const query = (sql: string): unknown[] => {
  const database = new DatabaseSync(path)
  const rows = database.prepare(sql).all()
  database.close()
  return rows
}

const text = fc.oneof(fc.constantFrom('wait4', 'at least: "x"\n', 'no\tway \\'), fc.string())
const figure: fc.Arbitrary<Measured> = fc.oneof(
  fc.record({ value: fc.double({ min: 0, noDefaultInfinity: true, noNaN: true }), basis: text }),
  fc.record({ value: fc.constant(null), why: text }),
)
const usages = fc.record({
  ...Object.fromEntries(usageKeys.map((key) => [key, figure])),
  fanTurns: figure,
}) as unknown as fc.Arbitrary<Usage>

describe('the table of usages', () => {
  it('gives back what was put in, however often its form comes', () => {
    fc.assert(
      fc.property(
        usages,
        fc.array(fc.double({ min: 0, max: 1e15, noNaN: true })),
        (usage, values) => {
          const more = values.map((value) => ({ ...usage, readBytes: measured(value, 'io') }))
          for (const each of [usage, ...more]) expect(usageOf(keep(each))).toEqual(each)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('writes the words of a usage once where they come again', () => {
    const of = (seconds: number): Usage => ({
      ...emptyUsage('not looked at'),
      cpuTotalSeconds: measured(seconds, 'wait4'),
    })
    for (const seconds of [1, 2, 3, 4]) keep(of(seconds))
    expect(query('SELECT count(*) AS forms FROM usage_form')).toEqual([{ forms: 1 }])
    expect(
      query('SELECT usage FROM attempt_usage WHERE form_id IS NOT NULL ORDER BY attempt_id'),
    ).toEqual([{ usage: '[2]' }, { usage: '[3]' }, { usage: '[4]' }])
  })

  it('tells two forms that follow each other apart, whatever the difference', () => {
    const first = { ...emptyUsage('why'), readBytes: measured(7, 'io') }
    const others: readonly Usage[] = [
      { ...first, readBytes: measured(7, 'cgroup') },
      { ...first, readBytes: unmeasured('io') },
      { ...first, writeBytes: unmeasured('io') },
      { ...first, writeBytes: measured(7, 'why') },
      { ...first, readBytes: measured(Number.NaN, 'io') },
      { ...first, readBytes: { value: -1, basis: 'io' } },
      { ...first, fanTurns: measured(3, 'io') } as Usage,
    ]
    for (const other of others)
      for (const usage of [first, first, other, first, other, other, first]) {
        const isAmount = usage.readBytes.value === null || usage.readBytes.value >= 0
        const stored = isAmount ? usage : { ...usage, readBytes: measured(Number.NaN, 'io') }
        expect(usageOf(keep(usage))).toEqual(stored)
      }
  })

  it('uses a form that another process has written', () => {
    const usage = { ...emptyUsage('why'), readBytes: measured(7, 'io') }
    keep(usage)
    keep(usage)
    ledger.close()
    ledger = openSqliteLedger(path)
    expect(usageOf(keep(usage))).toEqual(usage)
    expect(query('SELECT form_id FROM attempt_usage')).toEqual([
      { form_id: null },
      { form_id: 1 },
      { form_id: 1 },
    ])
  })

  it('does not trust a form whose transaction was undone', () => {
    const usage = { ...emptyUsage('why'), readBytes: measured(7, 'io') }
    keep(usage)
    expect(() =>
      ledger.batchAsOne(() => {
        keep(usage)
        throw new Error('a full disk')
      }),
    ).toThrow('a full disk')
    expect(query('SELECT * FROM usage_form')).toEqual([])
    const kept = [keep(usage), keep(usage), keep(usage)]
    expect(kept.map(usageOf)).toEqual([usage, usage, usage])
  })

  it('goes with the last usage that has it, and is written again by who has it in mind', () => {
    const usage = { ...emptyUsage('why'), readBytes: measured(7, 'io') }
    keep(usage)
    keep(usage)
    const other = openSqliteLedger(path)
    expect(other.jobs.prune(Number.MAX_SAFE_INTEGER).attempts).toBe(2)
    other.close()
    expect(query('SELECT * FROM usage_form')).toEqual([])
    const kept = [keep(usage), keep(usage), keep(usage)]
    expect(kept.map(usageOf)).toEqual([usage, usage, usage])
    expect(query('SELECT id FROM usage_form')).toEqual([{ id: 2 }])
  })

  it.each(['[1,2.0,3]', '[]', '[1,2,3,4,5]', '[1,-2]', '[1,null]', '[1,"2"]', '{}', 'x'])(
    'tells a record whose numbers are not those of its form: %s',
    (damaged) => {
      const usage = {
        ...emptyUsage('why'),
        readBytes: measured(7, 'io'),
        writeBytes: measured(8, 'io'),
      }
      keep(usage)
      const taskId = keep(usage)
      const database = new DatabaseSync(path)
      database.prepare('UPDATE attempt_usage SET usage = ? WHERE form_id IS NOT NULL').run(damaged)
      database.close()
      expect(usageOf(taskId)).toBeUndefined()
    },
  )

  it.each([
    '{"measured":[["x",[{"toString":1}]]],"unmeasured":[]}',
    '{"measured":[["io","readBytes"]],"unmeasured":[]}',
    '{"measured":[["io",["readBytes"]]]}',
    'null',
    '[]',
  ])('tells a record whose form is none: %s', (damaged) => {
    const usage = { ...emptyUsage('why'), readBytes: measured(7, 'io') }
    keep(usage)
    const taskId = keep(usage)
    const database = new DatabaseSync(path)
    database.prepare('UPDATE usage_form SET form = ?').run(damaged)
    database.close()
    expect(usageOf(taskId)).toBeUndefined()
  })

  it('tells a record whose form is not there any more', () => {
    const usage = { ...emptyUsage('why'), readBytes: unmeasured('no') }
    keep(usage)
    const taskId = keep(usage)
    const database = new DatabaseSync(path)
    database.exec('PRAGMA foreign_keys = 0; DELETE FROM usage_form')
    database.close()
    expect(usageOf(taskId)).toBeUndefined()
  })
})
