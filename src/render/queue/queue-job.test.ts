import { describe, expect, it } from 'vitest'
import { describeJob } from '../../model/describe-job.ts'
import type { QueueJob } from '../../model/queue.ts'
import { plainStyle } from '../text/style.ts'
import { queueJobJson, queueJobsText } from './queue-job.ts'

const job: QueueJob = {
  id: '3f8a21b2c4d5'.padEnd(32, '0'),
  name: 'train',
  user: 'ada',
  state: 'running',
  priority: 0,
  attempts: 1,
  exitCode: null,
  reason: null,
  submittedAt: 1_800_000_000.123456,
  runSeconds: 75.4321,
  endedAt: null,
  host: 'node17',
  order: {
    ...describeJob(['true'], { workingDirectory: '/' }),
    environment: {},
    labels: [],
    image: '',
    timeoutSeconds: null,
    memoryLimitBytes: null,
    graceSeconds: 5,
    intervalSeconds: null,
  },
}

describe('a list of jobs of the queue', () => {
  const shown = (changed: Partial<QueueJob>, now = 1_800_000_300) =>
    (queueJobsText([{ ...job, ...changed }], now, plainStyle).split('\n')[1] ?? '').split(/ {2,}/)

  it('says how long ago each was submitted, and how long it has run', () => {
    expect(shown({}).slice(4)).toEqual(['1', '5m', '1m 15s', 'node17'])
    expect(shown({ state: 'success', runSeconds: 0.3124 })).toContain('0.3s')
  })

  it('says nothing of the last attempt of one that waits again, nor of one that never began', () => {
    expect(shown({ state: 'queued' }).slice(4)).toEqual(['1', '5m', 'node17'])
    expect(shown({ state: 'queued', runSeconds: null, host: null }).slice(4, 6)).toEqual([
      '1',
      '5m',
    ])
  })

  it('takes no clock of a database for the future', () => {
    expect(shown({}, 1_799_999_999)[5]).toBe('0s')
  })

  it('has exact figures in JSON', () => {
    expect(queueJobJson(job)).toMatchObject({
      submitted_at: '2027-01-15T08:00:00.123456Z',
      run_seconds: 75.4321,
    })
  })
})
