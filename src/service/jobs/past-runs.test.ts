import { describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../../test/contracts/attempts.ts'
import { LedgerFolder } from '../../../test/ledger-folder.ts'
import { measured } from '../../model/measured.ts'
import type { OutcomeStatus } from '../../model/outcome.ts'
import type { JobRecord } from '../../model/record.ts'
import { emptyUsage } from '../../model/usage.ts'
import { readerOf } from '../../store/ledger/ledger-reader.ts'
import { pastRunsOf, sizeJob } from './past-runs.ts'

const at = new LedgerFolder()
const gigabyte = 2 ** 30

interface Run {
  readonly seconds: number
  readonly user?: string
  readonly folder?: string
  readonly status?: OutcomeStatus
}

function add(runs: readonly Run[]): JobRecord {
  const { jobs } = at.ledger
  for (const [index, run] of runs.entries()) {
    const { seconds, user = 'ada', folder = '/home/ada', status = 'success' } = run
    const job = { workingDirectory: folder }
    const ref = jobs.begin(someStart(`t${index}`, { startedAt: 1000 + index, user, job }))
    const usage = {
      ...emptyUsage('not in this test'),
      cpuTotalSeconds: measured(seconds, 'x'),
      cpuPercentP95: measured(100, 'x'),
      memoryPeakBytes: measured(gigabyte, 'x'),
    }
    const outcome = { status, exitCode: 0, signal: null, reason: null, stragglers: [] }
    jobs.finish(ref, someEnd({ durationSeconds: seconds, usage, outcome }))
  }
  const [newest] = jobs.find({ limit: 1 })
  if (newest === undefined) throw new Error('there is none')
  return newest
}

const past = (job: JobRecord) => pastRunsOf(readerOf(at.ledger), job, 50)

describe('past runs of a job', () => {
  it('are of its name, folder and user, newest first', async () => {
    const job = add([
      { seconds: 1 },
      { seconds: 2, user: 'eve' },
      { seconds: 3, folder: '/tmp' },
      { seconds: 4, status: 'failed' },
    ])
    const { runs } = await past(job)
    expect(runs.map(({ taskId }) => taskId)).toEqual(['t3', 't0'])
  })

  it('show that a job has become slower, and that its memory is as it was', async () => {
    const before = Array.from({ length: 12 }, (_, index) => ({ seconds: 10 + (index % 3) * 0.1 }))
    const newest = Array.from({ length: 5 }, (_, index) => ({ seconds: 15 + (index % 3) * 0.1 }))
    const { trends } = await past(add([...before, ...newest]))
    expect(trends).toMatchObject([
      { metric: 'duration', change: 'worse', before: 10.1, newest: 15.1 },
      { metric: 'cpu', change: 'worse' },
      { metric: 'memory', change: 'noise', before: gigabyte, newest: gigabyte },
    ])
  })

  it('cannot be judged where there are few, and runs that failed do not count', async () => {
    const { trends } = await past(add([{ seconds: 100, status: 'failed' }, { seconds: 1 }]))
    expect(trends[0]).toEqual({
      metric: 'duration',
      change: 'cannot-judge',
      before: null,
      newest: 1,
    })
  })
})

describe('what to ask for next time', () => {
  it('follows from what the last runs used', async () => {
    const job = add([{ seconds: 10 }, { seconds: 12 }, { seconds: 500, user: 'eve' }])
    const own = at.ledger.jobs.find({ user: 'ada', limit: 1 })[0] ?? job
    const { runs, advice } = await sizeJob(readerOf(at.ledger), own)
    expect(runs).toBe(2)
    expect(advice.cpus.recommended).toBe(1)
    expect(advice.memory).toMatchObject({ requested: 4 * gigabyte, most: gigabyte })
    expect(advice.memory.recommended).toBeLessThan(2 * gigabyte)
    expect(advice.runtime.most).toBe(12)
  })
})
