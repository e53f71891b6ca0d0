import fc from 'fast-check'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLedgerAt } from '../../src/record/open-ledger.ts'
import { LiveFeed } from '../../src/service/live/live-feed.ts'
import { LiveReading } from '../../src/service/live/live-reading.ts'
import { fakeClock } from '../../src/system/fake-clock.ts'
import { expectTold, readingInto, Told } from './told.ts'
import { system, WrittenJob } from './written-job.ts'

/** A ledger that goes away with its folder. */
function somewhere() {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-live-'))
  return {
    db: join(directory, 'ledger.db'),
    path: (name: string) => join(directory, name),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  }
}

/** Takes in what waits, and compares all that was told of these jobs with it. */
function expectAllTold(db: string, told: Told, jobs: readonly WrittenJob[]): void {
  const ledger = openLedgerAt(system, db)
  for (const { start } of jobs) {
    const [record] = ledger.jobs.findByPrefix(start.taskId)
    if (record === undefined) throw new Error('a job is not in the ledger')
    expectTold(told, record, ledger.jobs.series(start.taskId).read().rows)
  }
  ledger.close()
}

describe('reading what is damaged or on the move', () => {
  it('tells each sample once, wherever lines are torn while they are written', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6000), { maxLength: 12 }), (given) => {
        using place = somewhere()
        const job = new WrittenJob(place.db, 1)
        for (const count of [2, 1, 3]) job.sample(count)
        const { path } = job
        job.finish()
        const whole = readFileSync(path)
        const cuts = given.filter((cut) => cut < whole.length).toSorted((a, b) => a - b)
        rmSync(path)
        const reading = new LiveReading(system, place.db)
        const told = new Told()
        const problems: string[] = []
        const read = readingInto(reading, told, problems)
        read()
        for (const cut of cuts) {
          writeFileSync(path, whole.subarray(0, cut))
          read()
        }
        writeFileSync(path, whole)
        read()
        expect(told.ended).toBe(1)
        const ledger = openLedgerAt(system, place.db)
        ledger.close()
        // The ledger gives it its number.
        read()
        expectAllTold(place.db, told, [job])
        expect(problems).toEqual([])
        reading.close()
      }),
      { numRuns: 25 },
    )
  })

  it('goes on when a record vanishes and comes back between two looks at it', () => {
    using place = somewhere()
    const told = new Told()
    const reading = new LiveReading(system, place.db)
    const read = readingInto(reading, told)
    read()
    const [job, other] = [new WrittenJob(place.db, 1), new WrittenJob(place.db, 2)]
    job.sample(2)
    other.sample(1)
    read()
    const { path } = job
    renameSync(path, place.path('away'))
    other.sample(2)
    read()
    expect(told.rows.get(other.start.taskId)).toHaveLength(3)
    expect(told.ended).toBe(0)
    renameSync(place.path('away'), path)
    job.sample(1)
    read()
    expect(told.rows.get(job.start.taskId)).toHaveLength(3)
    for (const one of [job, other]) one.finish()
    read()
    openLedgerAt(system, place.db).close()
    read()
    expectAllTold(place.db, told, [job, other])
    reading.close()
  })

  it('is not disturbed by records that vanish in the midst of a look', async () => {
    using place = somewhere()
    const job = new WrittenJob(place.db, 1)
    job.sample(4)
    const { path } = job
    const move = `const { renameSync } = require('node:fs')
      const [, path, away] = process.argv
      for (let i = 0; i < 30000; i += 1) { renameSync(path, away); renameSync(away, path) }`
    const mover = spawn(process.execPath, ['-e', move, path, place.path('away')])
    const left = once(mover, 'exit')
    const told = new Told()
    const problems: string[] = []
    const reading = new LiveReading(system, place.db)
    const read = readingInto(reading, told, problems)
    let looks = 0
    while (mover.exitCode === null) {
      read()
      looks += 1
      await turn()
    }
    expect(await left).toEqual([0, null])
    expect(looks).toBeGreaterThan(10)
    job.finish()
    read()
    expect(told.ended).toBe(1)
    expect(problems).toEqual([])
    reading.close()
  })

  it('tells everything in its time, though the clock is set to and fro', () => {
    using place = somewhere()
    const { clock, advance, stepWallClock } = fakeClock(system.clock.wallSeconds())
    const problems: string[] = []
    const feed = new LiveFeed({ ...system, clock }, place.db, {
      onProblem: (problem) => problems.push(problem),
    })
    const told = new Told()
    feed.listen(told.hear)
    advance(1)
    const job = new WrittenJob(place.db, 1)
    const steps = [86_400, -400_000, 3600, -1e9, 2e9]
    steps.forEach((seconds, index) => {
      stepWallClock(seconds)
      job.sample(1)
      advance(1)
      expect(told.rows.get(job.start.taskId)).toHaveLength(index + 1)
      expect(told.ended).toBe(0)
    })
    job.finish()
    advance(1)
    expect(told.ended).toBe(1)
    openLedgerAt(system, place.db).close()
    advance(1)
    expectAllTold(place.db, told, [job])
    expect(told.resets).toBe(0)
    expect(problems).toEqual([])
    feed.stop()
  })
})
