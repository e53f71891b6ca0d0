import { describe, expect, it } from 'vitest'
import { queueResultText, readQueueResult, type QueueResult } from './queue-result.ts'
import { emptyUsage } from './usage.ts'

const result: QueueResult = {
  startedAt: 100,
  user: 'ada',
  machine: { host: 'node01', cores: 2, memoryBytes: null },
  result: {
    durationSeconds: 1.5,
    outcome: {
      status: 'failed',
      exitCode: 5,
      signal: null,
      reason: null,
      stragglers: [{ pid: 7, command: 'sleep' }],
    },
    usage: emptyUsage('not watched'),
    samples: { collected: 0, intervalSeconds: 1, late: 0, ownCpuSeconds: null },
    marks: [{ timestamp: 1, elapsedSeconds: 1, step: 1, epoch: null, phase: 'fit', message: null }],
  },
  series: {
    columns: ['a'],
    values: '',
    devices: [{ kind: 'gpu', id: '0', columns: [], values: '' }],
  },
}

/** The result with something else in one place. */
const changed = (path: string, value: unknown): string => {
  const whole = JSON.parse(queueResultText(result)) as Record<string, unknown>
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let at = whole
  for (const key of keys) at = at[key] as Record<string, unknown>
  at[last] = value
  return JSON.stringify(whole)
}

describe('the result of a queued job', () => {
  it('is read as it was written', () => {
    expect(readQueueResult(queueResultText(result))).toEqual({ kind: 'ok', value: result })
  })

  it('is of the first version where it names none', () => {
    expect(readQueueResult(JSON.stringify(result))).toMatchObject({ kind: 'ok' })
  })

  it('may lack figures, which its worker did not know', () => {
    const read = readQueueResult(changed('result.usage', { readBytes: { value: 1, basis: 'x' } }))
    expect(read).toMatchObject({
      value: {
        result: {
          usage: {
            readBytes: { value: 1, basis: 'x' },
            cpuTotalSeconds: { value: null, why: 'not told by its worker' },
          },
        },
      },
    })
  })

  it('is refused by its version where that is newer', () => {
    expect(readQueueResult('{"version":2}')).toEqual({
      kind: 'failed',
      error: 'written by version 2; this build reads up to 1. Use a newer jobmeter',
    })
  })

  it('is refused where anything in it is not what it should be', () => {
    const wrong: readonly (readonly [string, unknown])[] = [
      ['startedAt', '100'],
      ['user', null],
      ['machine', 'node01'],
      ['machine.cores', null],
      ['result', undefined],
      ['result.durationSeconds', -1],
      ['result.outcome', undefined],
      ['result.outcome.status', 'great'],
      ['result.outcome.exitCode', '5'],
      ['result.outcome.stragglers', [1]],
      ['result.usage', []],
      ['result.usage.readBytes', 7],
      ['result.usage.readBytes', { value: 7 }],
      ['result.samples', null],
      ['result.samples.late', null],
      ['result.marks', [{}]],
      ['series', 'AAAA'],
      ['series.columns', [1]],
      ['series.devices', [{}]],
    ]
    const texts = ['', 'garbage', 'null', '[]', '{}', ...wrong.map((each) => changed(...each))]
    for (const text of texts)
      expect(readQueueResult(text), text).toEqual({
        kind: 'failed',
        error: 'not in a format that this build knows',
      })
  })
})
