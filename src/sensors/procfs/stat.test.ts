import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture, textOf } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, anyCount } from '../../../test/fixtures/procfs/honest.ts'
import { parseStat, ProcessStat } from './stat.ts'

const parsed = (content: Uint8Array): ProcessStat | false => {
  const into = new ProcessStat()
  return parseStat(content, content.length, into) && into
}

const names = ['sleep', 'kernel-thread', 'kworker', 'odd-name', 'zombie']
const fixtures = names.map((name) => procfsFixture(`stat-6.18-${name}`))

/** What the fields are by their numbers in proc(5), found the slow and simple way. */
function byNumber(content: Uint8Array): (field: number) => number {
  const line = textOf(content)
  const rest = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (field) => Number(rest[field - 3])
}

describe('parseStat', () => {
  it.each(names)('reads every field of %s where proc(5) puts it', (name) => {
    const content = procfsFixture(`stat-6.18-${name}`)
    const field = byNumber(content)
    expect(parsed(content)).toEqual({
      pid: Number.parseInt(textOf(content), 10),
      state: textOf(content).charCodeAt(textOf(content).lastIndexOf(')') + 2),
      parentPid: field(4),
      groupId: field(5),
      sessionId: field(6),
      terminal: field(7),
      foregroundGroup: field(8),
      flags: field(9),
      minorFaults: field(10),
      childMinorFaults: field(11),
      majorFaults: field(12),
      childMajorFaults: field(13),
      userTicks: field(14),
      systemTicks: field(15),
      childUserTicks: field(16),
      childSystemTicks: field(17),
      threads: field(20),
      startTicks: field(22),
      residentPages: field(24),
      ignoredSignals: field(33),
      ioDelayTicks: field(42),
    })
  })

  it('tells the states apart', () => {
    const states = fixtures.map((content) => {
      const stat = parsed(content)
      return stat && String.fromCharCode(stat.state)
    })
    expect(states).toEqual(['S', 'S', 'I', 'R', 'Z'])
  })

  it('has no I/O delay where the line ends before it', () => {
    const stat = parsed(procfsFixture('stat-2.6-short'))
    expect(stat).toMatchObject({ pid: 4242, residentPages: 300, ioDelayTicks: Number.NaN })
  })

  it.each([
    ['nothing', ''],
    ['no name', '1 S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0 0\n'],
    ['an open name', `1 (${'a'.repeat(2000)}`],
    ['a cut number', '1 (a) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 12'],
    ['a negative counter', '1 (a) S 1 1 1 0 -1 0 0 0 0 0 -7 0 0 0 20 0 1 0 5 0 12 0\n'],
    ['forty digits', `1 (a) S 1 1 1 0 -1 0 0 0 0 0 ${'9'.repeat(40)} 0 0 0 20 0 1 0 5 0 12 0\n`],
  ])('does not take %s', (_, line) => {
    expect(parsed(bytes(line))).toBe(false)
  })

  it('finds the fields after any name of up to 63 bytes', () => {
    const name = fc.uint8Array({ maxLength: 63 })
    fc.assert(
      fc.property(name, fc.array(anyCount, { minLength: 52, maxLength: 52 }), (comm, fields) => {
        const tail = ` S 1 2 3 34816 -1 ${fields.join(' ')}\n`
        const stat = parsed(Uint8Array.from([...bytes('77 ('), ...comm, ...bytes(`)${tail}`)]))
        expect(stat).toMatchObject({ pid: 77, parentPid: 1, foregroundGroup: -1 })
        expect(stat).toMatchObject({ minorFaults: fields[1], userTicks: fields[5] })
        expect(stat).toMatchObject({ residentPages: fields[15], ioDelayTicks: fields[33] })
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseStat, () => new ProcessStat(), fixtures, {
      absent: ['ioDelayTicks', 'ignoredSignals'],
      negative: ['terminal', 'foregroundGroup'],
    })
  })
})
