import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openLedgerAt } from '../../src/record/open-ledger.ts'
import { LiveReading } from '../../src/service/live/live-reading.ts'
import { openAlerts } from '../../src/store/alerts/open-alerts.ts'
import { expectTold, readingInto, Told } from './told.ts'
import { system, WrittenJob } from './written-job.ts'

const action = fc.oneof(
  fc.record({
    kind: fc.constant('sample' as const),
    job: fc.nat(2),
    count: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constantFrom('move' as const, 'finish' as const), job: fc.nat(2) }),
  fc.constantFrom(
    { kind: 'read' } as const,
    { kind: 'read' } as const,
    { kind: 'take in' } as const,
  ),
)

describe('reading what jobs write, whatever moves while it is read', () => {
  it('tells each job once and each sample once, on their way from the spool to the ledger', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40, size: 'max' }), (actions) => {
        const directory = mkdtempSync(join(tmpdir(), 'jobmeter-live-'))
        const db = join(directory, 'ledger.db')
        const reading = new LiveReading(system, db)
        const told = new Told()
        const received: (number | null)[][] = [[], [], []]
        const problems: string[] = []
        const readOnce = readingInto(reading, told, problems)
        const read = (): void => {
          const news = readOnce()
          for (const event of news)
            if (event.kind === 'samples')
              for (const { columns, firstRow, rows } of event.devices) {
                const own = received[Number(event.taskId[0])] ?? []
                if (firstRow !== own.length) throw new Error(`row ${firstRow} after ${own.length}`)
                own.push(...rows.map((row) => row[columns.indexOf('received_bytes')] ?? null))
              }
        }
        try {
          read()
          const jobs = [0, 1, 2].map((number) => new WrittenJob(db, number))
          for (const one of actions) {
            if (one.kind === 'read') read()
            else if (one.kind === 'take in') openLedgerAt(system, db).close()
            else if ('job' in one) {
              const job = jobs[one.job]
              if (job === undefined || job.isOver) continue
              if (one.kind === 'sample') job.sample(one.count)
              else if (one.kind === 'move') job.move()
              else job.finish()
            }
          }
          for (const job of jobs) if (!job.isOver) job.finish()
          read()
          const ledger = openLedgerAt(system, db)
          read()
          for (const { start } of jobs) {
            const [record] = ledger.jobs.findByPrefix(start.taskId)
            if (record === undefined) throw new Error('a job is not in the ledger')
            const series = ledger.jobs.series(start.taskId)
            expectTold(told, record, series.read().rows)
            const [network] = series.devices()
            const at = network?.columns.indexOf('received_bytes') ?? -1
            const kept = network?.rows.map((row) => row[at]) ?? []
            expect(received[Number(start.taskId[0])]).toEqual(kept)
          }
          ledger.close()
          expect(problems).toEqual([])
        } finally {
          reading.close()
          rmSync(directory, { recursive: true })
        }
      }),
      { numRuns: 40 },
    )
  })
})

/** Keeps everybody else even from reading; the answer lets them again. */
function lockAway(path: string): () => void {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
  return () => database.close()
}

describe('files that nobody can read at first', () => {
  it('tell only what goes on when they can be read', () => {
    const directory = mkdtempSync(join(tmpdir(), 'jobmeter-live-'))
    const db = join(directory, 'ledger.db')
    const [over, running] = [new WrittenJob(db, 0), new WrittenJob(db, 1)]
    over.sample(3)
    over.move()
    over.finish()
    running.sample(3)
    running.move()
    const alerts = join(directory, 'alerts.db')
    const store = openAlerts(alerts)
    const finding = {
      rule: 'failed',
      severity: 'warning',
      subject: { host: 'node01', job: 'job', taskId: over.start.taskId, gpu: null },
      text: 'it failed',
      metric: 'exit_code',
      value: 1,
      threshold: 0,
      at: 1_700_000_000,
    } as const
    store.fire('key', 'before', finding, null, [])
    store.close()
    running.close()
    const unlock = [lockAway(db), lockAway(alerts)]
    const reading = new LiveReading(system, db)
    try {
      const problems: string[] = []
      const read = readingInto(reading, new Told(), problems)
      expect(read()).toEqual([])
      for (const free of unlock) free()
      const told = read().flatMap((event) => {
        if (event.kind === 'attempt') return [`${event.change} ${event.attempt.name}`]
        return event.kind === 'alert' ? [`${event.change} ${event.alert.alertId}`] : [event.kind]
      })
      expect(told).toEqual(['found job 1', 'found before'])
      expect(problems).toEqual([])
    } finally {
      reading.close()
      rmSync(directory, { recursive: true })
    }
  })
})
