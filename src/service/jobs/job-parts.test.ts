import { expect, it } from 'vitest'
import { someEnd, someStart } from '../../../test/contracts/attempts.ts'
import { LedgerFolder } from '../../../test/ledger-folder.ts'
import { readerOf } from '../../store/ledger/ledger-reader.ts'
import { partsOfJob } from './job-parts.ts'

const at = new LedgerFolder()

it('tells the threads that used most, and what was left', async () => {
  const { jobs } = at.ledger
  const ref = jobs.begin(someStart('a'))
  const columns = ['timestamp', 'elapsed_seconds', 'cpu_user_seconds', 'cpu_system_seconds']
  const writer = jobs.writer(ref)
  for (const [id, user] of [
    ['7/7 main', 1],
    ['7/9 worker 2', 5],
  ] as const) {
    const rows = Float64Array.of(100, 1, user / 2, 0.1, 101, 2, user, 0.5)
    writer.addDevice({ kind: 'thread', id, columns, rows, count: 2 })
  }
  const outcome = {
    status: 'success',
    exitCode: 0,
    signal: null,
    reason: null,
    stragglers: [{ pid: 12, command: 'sleep 60' }],
  } as const
  jobs.finish(ref, someEnd({ outcome }))
  const [record] = jobs.find({ limit: 1 })
  if (record === undefined) throw new Error('there is none')
  expect(await partsOfJob(readerOf(at.ledger), record)).toMatchObject({
    stragglers: [{ pid: 12, command: 'sleep 60' }],
    threads: [
      { pid: 7, tid: 9, name: 'worker 2', cpuSeconds: 5.5 },
      { pid: 7, tid: 7, name: 'main', cpuSeconds: 1.5 },
    ],
  })
})
