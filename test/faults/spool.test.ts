import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLedgerAt } from '../../src/record/open-ledger.ts'
import { recordJson } from '../../src/render/record/record-json.ts'
import type { JobRecord } from '../../src/model/record.ts'
import { realSystem } from '../../src/system/real.ts'
import { lockLedger } from '../locked-ledger.ts'
import { asSpool1 } from '../contracts/older-spool.ts'
import { sandbox, type Sandbox } from '../program.ts'

let box: Sandbox
let whole: Buffer
let name: string
const system = realSystem({ ownsProcess: false })
const spool = () => `${box.db}.spool`

beforeAll(async () => {
  box = sandbox()
  // Some runs take what waits into the ledger, if they can.
  const unlock = lockLedger(box.db)
  const args = ['--interval', '0.05', '--tag', 'ünïcode', '--param', 'rate=0.1', '--cpus', '2']
  await box.jobmeter(['run', '--quiet', ...args, '--', 'sh', '-c', 'sleep 0.3; exit 3'])
  unlock()
  ;[name = ''] = readdirSync(spool())
  whole = readFileSync(`${spool()}/${name}`)
})
afterAll(() => box[Symbol.dispose]())

/** What a spool with this one file leaves in an empty ledger: a copy, as making one takes most of the time. */
function taken(bytes: Uint8Array): {
  readonly problems: readonly string[]
  readonly records: readonly JobRecord[]
  readonly samples: readonly Float64Array[]
  readonly left: readonly string[]
  /** What is told a second time. */
  readonly again: readonly string[]
} {
  const db = box.path('fuzz/ledger.db')
  mkdirSync(`${db}.spool`, { recursive: true })
  copyFileSync(box.path('empty.db'), db)
  writeFileSync(`${db}.spool/${name}`, bytes)
  const problems: string[] = []
  const { jobs, close } = openLedgerAt(system, db, (problem) => problems.push(problem))
  const records = jobs.find({})
  const samples = records.flatMap(({ taskId }) => jobs.series(taskId).read().rows)
  // All that is shown is made of this.
  for (const record of records) JSON.stringify(recordJson(record))
  close()
  const again: string[] = []
  openLedgerAt(system, db, (problem) => again.push(problem)).close()
  const left = readdirSync(`${db}.spool`)
  rmSync(box.path('fuzz'), { recursive: true })
  return { problems, records, samples, left, again }
}

let original: ReturnType<typeof taken>

/** Whether it came through as it was, as far as it is there, or was set aside with a word about it. */
function fateOf(bytes: Uint8Array): 'adopted' | 'cut' | 'broken' | 'wrong' {
  const { problems, records, samples, left, again } = taken(bytes)
  const [problem = '', ...more] = problems
  const [record, ...others] = records
  if (again.length > 0 || more.length > 0 || others.length > 0) return 'wrong'
  if (left.length > 0) {
    const isTold = left[0] === `${name}.broken` && problem.endsWith(`/${name}.broken`)
    return isTold && left.length === 1 && record === undefined ? 'broken' : 'wrong'
  }
  const [good] = original.records
  const hasSamples = isDeepStrictEqual(samples, original.samples.slice(0, samples.length))
  if (problem !== '' || record === undefined || !hasSamples) return 'wrong'
  if (isDeepStrictEqual({ record, samples }, { record: good, samples: original.samples }))
    return 'adopted'
  // The end was cut off: what was told before it holds.
  const told = isDeepStrictEqual(startOf(record), good === undefined ? null : startOf(good))
  return record.status === 'interrupted' && told ? 'cut' : 'wrong'
}

const startOf = ({ taskId, command, startedAt, machine, owner, params, tags }: JobRecord) => ({
  taskId,
  command,
  startedAt,
  machine,
  owner,
  params,
  tags,
})

beforeAll(() => {
  openLedgerAt(system, box.path('empty.db'), expect.unreachable).close()
  original = taken(whole)
})

describe('a file of the spool', () => {
  it('that is whole is taken in', () => {
    expect(original).toMatchObject({ problems: [], left: [], records: [{ exitCode: 3 }] })
    expect(original.samples.length).toBeGreaterThan(3)
    expect(fateOf(whole)).toBe('adopted')
  })

  it('with a flipped bit is taken in as it was or set aside: 400 of them', () => {
    const fates: string[] = []
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(7), (at, bit) => {
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        fates.push(fateOf(bytes))
      }),
      { numRuns: 400, seed: 9 },
    )
    expect(fates).not.toContain('wrong')
    // No flip goes unnoticed but one in the end of the last line, which then counts as cut off.
    expect(fates.filter((fate) => fate === 'broken').length).toBeGreaterThan(395)
  })

  it('that was cut off anywhere is what stood before: 150 of them', () => {
    fc.assert(
      fc.property(fc.nat(whole.length), (length) => {
        // A file without even a first line may still be being written.
        const fate = length <= whole.indexOf(10) ? 'fresh' : fateOf(whole.subarray(0, length))
        expect(fate).toMatch(length === whole.length ? 'adopted' : /cut|fresh/)
      }),
      { numRuns: 150, seed: 11 },
    )
  })

  it('with bytes put in, taken out or written over is no other record: 300 of them', () => {
    fc.assert(
      fc.property(
        fc.nat(whole.length - 1),
        fc.nat(40),
        fc.uint8Array({ maxLength: 40 }),
        (at, taken_, put) => {
          const bytes = Buffer.concat([whole.subarray(0, at), put, whole.subarray(at + taken_)])
          const fate = bytes.includes(10) ? fateOf(bytes) : 'fresh'
          expect(fate).toMatch(/adopted|cut|broken|fresh/)
        },
      ),
      { numRuns: 300, seed: 13 },
    )
  })
})

describe('commands that look', () => {
  it('go on though most of the spool is bad, each told once', async () => {
    const good = whole.toString('utf8')
    const taskId = name.slice(0, 32)
    const version1 = asSpool1(good)
    const changes: readonly [RegExp, string][] = [
      [/"startedAt":[\d.]+/, '"startedAt":NaN'],
      [/"startedAt":[\d.]+/, '"startedAt":1e999'],
      [/"startedAt":[\d.]+/, '"startedAt":-1'],
      [/"startedAt":[\d.]+/, '"startedAt":"noon"'],
      [/"user":"[^"]*"/, '"user":null'],
      [/"user":"[^"]*",/, ''],
      [/"cores":\d+/, '"cores":1.5'],
      [/"tags":\[[^\]]*\]/, '"tags":{"a":1}'],
      [/"sampleWidth":\d+/, '"sampleWidth":7'],
      [/"sampleWidth":\d+/, '"sampleWidth":-1'],
      [/"durationSeconds":[\d.]+/, '"durationSeconds":-9'],
      [/"status":"failed"/, '"status":"running"'],
      [/"exitCode":3/, '"exitCode":"3"'],
      [/"usage":\{/, '"usage":null,"__proto__":{'],
      [/"value":[\d.]+/, '"value":-1e308'],
      [/"name":"[^"]*"/, `"name":"${'n'.repeat(17_000_000)}"`],
      [/"spool":1/, '"spool":99'],
      [/"spool":1/, '"spool":"1"'],
      [/^/, '\0\0\0\0'],
      [/^/, '[]\n'],
      [/$/, '{"end":{}}\n'],
    ]
    const nth = (number: number) => number.toString(16).padStart(32, '0')
    changes.forEach(([pattern, instead], index) => {
      expect(version1).toMatch(pattern)
      const text = version1.replace(pattern, instead).replaceAll(taskId, nth(index))
      writeFileSync(`${spool()}/${nth(index)}.jsonl`, text)
    })
    mkdirSync(`${spool()}/${nth(90)}.jsonl`)
    writeFileSync(`${spool()}/${nth(91)}.jsonl`, version1.replaceAll(taskId, nth(91)))

    const commands = [['history'], ['stats'], ['export'], ['show', 'last'], ['series', 'last']]
    const asked = []
    for (const args of commands) asked.push(await box.jobmeter(args))
    expect(asked.map(({ code }) => code)).toEqual(commands.map(() => 0))
    const [first, ...later] = asked
    const told = first?.stderr.trimEnd().split('\n') ?? []
    expect(told).toHaveLength(changes.length + 1)
    changes.forEach((_, index) => {
      expect(told.filter((line) => line.includes(`${nth(index)}.jsonl.broken`))).toHaveLength(1)
    })
    expect(later.map(({ stderr }) => stderr)).toEqual(later.map(() => ''))
    const records = (asked[2]?.stdout ?? '').trimEnd().split('\n')
    expect(records).toHaveLength(2)
    const { code, stderr } = await box.jobmeter(['run', '--quiet', '--', 'sh', '-c', 'exit 5'])
    expect({ code, stderr }).toEqual({ code: 5, stderr: '' })
  })
})
