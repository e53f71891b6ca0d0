import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { whileLocked } from '../../../test/locked-ledger.ts'
import { sandbox, type Sandbox } from '../../../test/program.ts'
import { sampleNames } from '../../model/sample.ts'
import { openLedgerAt } from '../../record/open-ledger.ts'
import { openSqliteLedger } from '../../store/ledger/open.ts'
import { fakeSystem } from '../../system/fake.ts'
import { WorkerRecords } from './worker-records.ts'

let box: Sandbox
beforeEach(() => {
  box = sandbox()
})
afterEach(() => box[Symbol.dispose]())

const ids = ['a', 'b'].map((digit) => digit.repeat(32))
const [one = '', other = ''] = ids

describe('what a worker has run', () => {
  const system = fakeSystem({})
  const { job, machine, owner } = someStart(one)
  const notes: string[] = []
  const open = (): WorkerRecords => {
    notes.length = 0
    const circumstances = { system, ledger: box.db, machine, owner, columns: sampleNames }
    return new WorkerRecords(circumstances, (message) => notes.push(message))
  }
  const begin = (records: WorkerRecords, taskId: string) =>
    records.begin(job, { taskId, user: 'ada', intervalSeconds: 1 })
  const result = { ...someEnd(), outline: [] }
  /** As somebody sees it who asks SQLite alone. */
  const inLedger = (taskId: string) => {
    const ledger = openSqliteLedger(box.db)
    const [record] = ledger.jobs.findByPrefix(taskId)
    const samples = ledger.jobs.series(taskId).read().rows.length
    ledger.close()
    return record === undefined ? undefined : { status: record.status, samples }
  }
  /** As everybody sees it: with what waits beside the ledger. */
  const kept = (taskId: string) => {
    openLedgerAt(system, box.db).close()
    return inLedger(taskId)
  }
  const files = () =>
    existsSync(`${box.db}.spool`)
      ? readdirSync(`${box.db}.spool`).filter((name) => name.endsWith('.jsonl'))
      : []

  it('is in the ledger before it starts', () => {
    const records = open()
    begin(records, one)
    expect(inLedger(one)).toEqual({ status: 'running', samples: 0 })
    expect(files()).toEqual([])
    records.close()
  })

  it('is of who submitted it, in the ledger and beside it', async () => {
    const records = open()
    begin(records, one).finish(result)
    await whileLocked(box.db, () => begin(records, other).finish(result))
    records.close()
    openLedgerAt(system, box.db).close()
    const ledger = openSqliteLedger(box.db)
    for (const taskId of ids)
      expect(ledger.jobs.findByPrefix(taskId)).toMatchObject([{ taskId, user: 'ada' }])
    ledger.close()
  })

  it('is written with the start of the next, or when it is asked for', () => {
    const records = open()
    const first = begin(records, one)
    first.addSamples(someSamples(2), 2, sampleNames)
    first.finish(result)
    expect(inLedger(one)).toEqual({ status: 'running', samples: 0 })
    const second = begin(records, other)
    expect(inLedger(one)).toEqual({ status: 'success', samples: 2 })
    second.finish(result)
    records.keep()
    expect(inLedger(other)).toEqual({ status: 'success', samples: 0 })
    records.close()
    expect(notes).toEqual([])
  })

  it('has the samples of a job that goes on', () => {
    const records = open()
    const recording = begin(records, one)
    for (const seen of [2, 4]) {
      recording.addSamples(someSamples(2), 2, sampleNames)
      records.keep()
      expect(inLedger(one)).toEqual({ status: 'running', samples: seen })
    }
    recording.addSamples(someSamples(1), 1, sampleNames)
    recording.finish(result)
    expect(inLedger(one)).toEqual({ status: 'success', samples: 5 })
    records.close()
  })

  it('does not wait for others who hold the ledger', async () => {
    const records = open()
    const first = begin(records, one)
    first.addSamples(someSamples(2), 2, sampleNames)
    await whileLocked(box.db, () => {
      const second = begin(records, other)
      expect(files()).toEqual([`${other}.jsonl`])
      first.finish(result)
      second.finish(result)
      records.keep()
      expect(files().toSorted()).toEqual(ids.map((id) => `${id}.jsonl`))
    })
    expect(kept(one)).toEqual({ status: 'success', samples: 2 })
    expect(kept(other)).toEqual({ status: 'success', samples: 0 })
    expect(files()).toEqual([])
    records.close()
    expect(notes).toEqual([])
  })

  it('is not lost with a job that somebody deletes meanwhile', () => {
    const records = open()
    for (const id of ids) begin(records, id).finish(result)
    const third = begin(records, 'c'.repeat(32))
    third.finish(result)
    const ledger = openSqliteLedger(box.db)
    ledger.jobs.interrupt('c'.repeat(32), 'it seemed dead')
    ledger.jobs.prune(Infinity)
    ledger.close()
    records.keep()
    expect(kept('c'.repeat(32))).toEqual({ status: 'success', samples: 0 })
    records.close()
  })

  it('goes to the ledger that stands under the name, where the first was removed', () => {
    const records = open()
    const first = begin(records, one)
    first.addSamples(someSamples(2), 2, sampleNames)
    records.keep()
    for (const end of ['', '-wal', '-shm']) rmSync(`${box.db}${end}`, { force: true })
    const second = begin(records, other)
    expect(inLedger(other)).toEqual({ status: 'running', samples: 0 })
    first.finish(result)
    second.finish(result)
    records.close()
    expect(kept(one)).toEqual({ status: 'success', samples: 2 })
    expect(kept(other)).toEqual({ status: 'success', samples: 0 })
  })

  it('waits in files where the ledger cannot be opened, which is tried again', () => {
    writeFileSync(box.db, 'this is no ledger\n'.repeat(100))
    const records = open()
    begin(records, one).finish(result)
    expect(notes).toEqual([expect.stringContaining('records wait beside the ledger')])
    rmSync(box.db)
    begin(records, other).finish(result)
    expect(files().toSorted()).toEqual(ids.map((id) => `${id}.jsonl`))
    system.advance(30)
    begin(records, 'c'.repeat(32))
    expect(files()).toEqual([])
    for (const id of ids) expect(inLedger(id)).toEqual({ status: 'success', samples: 0 })
    records.close()
  })
})
