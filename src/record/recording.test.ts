import type { Columns } from '../model/series.ts'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../test/contracts/attempts.ts'
import { lockLedger, whileLocked } from '../../test/locked-ledger.ts'
import { sandbox, type Sandbox } from '../../test/program.ts'
import { decideTidying } from '../../test/tidy-turn.ts'
import { sampleNames } from '../model/sample.ts'
import { fakeSystem } from '../system/fake.ts'
import { openLedgerAt } from './open-ledger.ts'
import { Recording } from './recording.ts'

let box: Sandbox
beforeEach(() => {
  box = sandbox()
})
afterEach(() => box[Symbol.dispose]())

const waiting = () => readdirSync(`${box.db}.spool`)
/** Lets a move into the ledger that has begun come to its end. */
async function settled(): Promise<void> {
  await import('./into-ledger.ts')
  await new Promise((resolve) => setImmediate(resolve))
}

describe('the record of a job', () => {
  it('is on disk when `run` ends, and in the ledger when somebody looks', async () => {
    await box.jobmeter(['run', '--quiet', '--name', 'short', '--', 'true'])
    expect(await box.history()).toMatchObject([{ name: 'short', status: 'success' }])
    expect(waiting()).toEqual([])
  })

  it('does not wait for others who hold the ledger', async () => {
    const { code, stderr } = await whileLocked(box.db, () =>
      box.jobmeter(['run', '--quiet', '--', 'sh', '-c', 'exit 3']),
    )
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    expect(await box.history()).toMatchObject([{ returncode: 3 }])
  })

  it('has its number in the ledger with --format json', async () => {
    const { stderr } = await box.jobmeter(['run', '--format', 'json', '--', 'true'])
    expect(JSON.parse(stderr)).toMatchObject({ job_id: 1, attempt: 1, status: 'success' })
  })

  it('shows a job while it runs', async () => {
    const running = box.start(['run', '--quiet', '--', 'sh', '-c', 'echo on; read line'])
    await running.saw('on')
    expect(await box.history()).toMatchObject([{ status: 'running' }])
    running.type('\n')
    await running.ended
    expect(await box.history()).toMatchObject([{ status: 'success' }])
    expect(waiting()).toEqual([])
  })
})

describe('the record of a job that lasts', () => {
  const stat =
    '1 (node) S 7 1 7 0 -1 4194304 9 0 0 0 1 1 0 0 20 0 11 0 5000 99999744 1024 ' +
    '18446744073709551615 1 1 0 0 0 0 0 4096 65536 1 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n'
  const system = fakeSystem({ files: { '/proc/1/stat': stat } })
  const begin = (columns: Columns = sampleNames) =>
    Recording.begin(system, box.db, someStart('a').job, {
      columns,
      machineMemoryBytes: null,
      intervalSeconds: 1,
      alone: true,
    })
  const result = { ...someEnd(), outline: [] }
  const kept = (taskId: string) => {
    const store = openLedgerAt(system, box.db).jobs
    const found = {
      samples: store.series(taskId).read().rows.length,
      records: store.findByPrefix(taskId),
    }
    store.close()
    return found
  }

  it('goes on in the ledger itself', async () => {
    const recording = await begin()
    recording.addSamples(someSamples(2), 2, sampleNames)
    system.advance(29)
    expect(waiting()).toHaveLength(1)
    system.advance(1)
    await recording.inLedger()
    // Nothing but the sign that its owner lives.
    expect(waiting()).toEqual([`${recording.taskId}.alive`])
    recording.addSamples(someSamples(1), 1, sampleNames)
    recording.finish(result)
    expect(recording.problems).toEqual([])
    expect(kept(recording.taskId)).toMatchObject({ samples: 3, records: [{ status: 'success' }] })
  })

  it('ends as long after its start as it took, whatever was done to the clock', async () => {
    const recording = await begin()
    const startedAt = system.clock.wallSeconds()
    system.stepWallClock(-3600)
    const { endedAt } = recording.finish({ ...result, durationSeconds: 12.5 })
    expect((endedAt ?? 0) - startedAt).toBe(12.5)
    system.stepWallClock(3600)
  })

  it('stays in the spool while others have the ledger locked, and tries again', async () => {
    const unlock = lockLedger(box.db)
    const recording = await begin()
    for (const half of [30, 30]) {
      recording.addSamples(someSamples(2), 2, sampleNames)
      system.advance(half)
      await settled()
    }
    expect(waiting()).toHaveLength(1)
    unlock()
    system.advance(30)
    await recording.inLedger()
    expect(waiting()).toEqual([`${recording.taskId}.alive`])
    recording.finish(result)
    expect(recording.problems).toEqual([])
    expect(kept(recording.taskId)).toMatchObject({ samples: 4, records: [{ status: 'success' }] })
  })

  it('holds back what a locked ledger does not take, and returns to the spool at its end', async () => {
    const recording = await begin()
    recording.addSamples(someSamples(2), 2, sampleNames)
    system.advance(30)
    await recording.inLedger()
    await whileLocked(box.db, () => recording.addSamples(someSamples(1), 1, sampleNames))
    recording.addSamples(someSamples(1), 1, sampleNames)
    await whileLocked(box.db, () => {
      recording.addSamples(someSamples(3), 3, sampleNames)
      recording.finish(result)
    })
    expect(recording.problems).toEqual([
      expect.stringContaining(`the record waits in ${box.db}.spool/${recording.taskId}.jsonl`),
    ])
    expect(waiting()).toHaveLength(1)
    expect(kept(recording.taskId)).toMatchObject({ samples: 7, records: [{ status: 'success' }] })
    expect(waiting()).toEqual([])
  })

  it('keeps columns of its own and rows of devices wherever it goes, each once', async () => {
    const columns = ['timestamp', 'elapsed_seconds', 'heat_joules']
    const recording = await begin(columns)
    const gpu = { kind: 'gpu', id: '0', columns: [...columns.slice(0, 2), 'watts'], count: 1 }
    let second = 0
    const look = () => {
      recording.addSamples(Float64Array.of(100 + second, second, 10 * second), 1, columns)
      recording.addDevices([{ ...gpu, rows: Float64Array.of(100 + second, second, 7 + second) }])
      second += 1
    }
    look()
    system.advance(30)
    await recording.inLedger()
    look()
    await whileLocked(box.db, look)
    look()
    await whileLocked(box.db, () => {
      look()
      recording.finish(result)
    })
    const ledger = openLedgerAt(system, box.db)
    const series = ledger.jobs.series(recording.taskId)
    const { rows } = series.read({ columns: ['heat_joules'] })
    expect(rows.map(([joules]) => joules)).toEqual([0, 10, 20, 30, 40])
    expect(series.devices()).toMatchObject([{ kind: 'gpu', id: '0', columns: gpu.columns }])
    const watts = series.devices()[0]?.rows.map(([, , figure]) => figure)
    expect(watts).toEqual([7, 8, 9, 10, 11])
    ledger.close()
  })

  it('gives a sign of life every ten seconds, before it is in the ledger and after', async () => {
    const recording = await begin()
    const heard = () => waiting().map((name) => statSync(`${box.db}.spool/${name}`).mtimeMs / 1000)
    system.advance(10)
    expect(heard()).toEqual([system.clock.wallSeconds()])
    system.advance(20)
    await recording.inLedger()
    system.advance(60)
    expect(heard()).toEqual([system.clock.wallSeconds()])
    recording.finish(result)
    expect(waiting()).toEqual([])
  })

  it('stays in the spool, and says so, where the ledger is damaged meanwhile', async () => {
    const recording = await begin()
    recording.addSamples(someSamples(2), 2, sampleNames)
    writeFileSync(box.db, 'no database')
    system.advance(30)
    expect(await recording.inLedger()).toBeUndefined()
    recording.addSamples(someSamples(1), 1, sampleNames)
    recording.finish(result)
    expect(recording.problems).toEqual([
      expect.stringContaining(`the record waits in ${box.db}.spool/${recording.taskId}.jsonl`),
    ])
    rmSync(box.db)
    expect(kept(recording.taskId)).toMatchObject({ samples: 3, records: [{ status: 'success' }] })
    expect(waiting()).toEqual([])
  })

  it('is told to the spool where the job ends while the ledger is being opened', async () => {
    const recording = await begin()
    system.advance(30)
    recording.finish(result)
    await recording.inLedger()
    expect(waiting()).toEqual([])
    expect(kept(recording.taskId).records).toMatchObject([{ status: 'success', jobId: 1 }])
  })
})

describe('tidying up the spool', () => {
  it.each([
    { turn: true, left: 0 },
    { turn: false, left: 1 },
  ])('is done by a job whose turn it is ($turn)', async ({ turn, left }) => {
    const decided = { NODE_OPTIONS: `--require ${decideTidying(box.directory, turn)}` }
    const { code } = await box.jobmeter(['run', '--quiet', '--', 'true'], { env: decided })
    expect({ code, left: waiting().length }).toEqual({ code: 0, left })
  })

  // The task ids of a fake machine begin with zeros, so that it is always their turn.
  const record = async () => {
    const recording = await Recording.begin(fakeSystem(), box.db, someStart('a').job, {
      machineMemoryBytes: null,
      intervalSeconds: 1,
      alone: true,
    })
    recording.finish({ ...someEnd(), outline: [] })
    await recording.tidySpool()
    return recording
  }

  it('takes everything in', async () => {
    await box.jobmeter(['run', '--quiet', '--', 'true'])
    const { problems } = await record()
    expect({ problems, waiting: waiting() }).toEqual({ problems: [], waiting: [] })
    expect(await box.history()).toHaveLength(2)
  })

  it('is left to others while the ledger is locked', async () => {
    const { problems } = await whileLocked(box.db, record)
    expect({ problems, waiting: waiting().length }).toEqual({ problems: [], waiting: 1 })
  })
})
