import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { sampleWidth } from '../../model/sample.ts'
import type { Ledger } from '../ledger.ts'
import { openSqliteLedger } from '../sqlite/open.ts'
import { SpoolFile } from './spool-file.ts'
import { takeIn } from './take-in.ts'

let folder: string
let ledger: string
let opened: Ledger
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-spool-'))
  ledger = join(folder, 'state', 'ledger.db')
})
afterEach(() => {
  opened.close()
  rmSync(folder, { recursive: true })
})

const nobodyIsDead = () => false
const everybodyIsDead = () => true
const take = (isDead = nobodyIsDead) => takeIn(opened, ledger, isDead)
const waiting = () => readdirSync(`${ledger}.spool`)
const status = () =>
  opened.jobs
    .find({})
    .map((record) => `${record.taskId} ${record.status}`)
    .toSorted()

describe('the spool', () => {
  beforeEach(() => {
    opened = openSqliteLedger(ledger)
  })

  it('is for its owner only, and so is what waits in it', () => {
    const { path } = new SpoolFile(ledger, someStart('a'))
    expect(statSync(`${ledger}.spool`).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toContain('python3')
  })

  it('hands finished attempts on to the ledger, once', () => {
    for (const taskId of ['a', 'b']) {
      const file = new SpoolFile(ledger, someStart(taskId))
      file.addSamples(someSamples(2), 2)
      file.finish(someEnd())
    }
    expect(take()).toEqual([])
    expect(status()).toEqual(['a success', 'b success'])
    expect(opened.jobs.samples('a')).toHaveLength(2)
    expect(waiting()).toEqual([])
    expect(take()).toEqual([])
    expect(status()).toHaveLength(2)
  })

  it('hands on more than fits one commit', () => {
    const names = Array.from({ length: 450 }, (_, index) => `task-${index}`)
    for (const name of names) new SpoolFile(ledger, someStart(name)).finish(someEnd())
    expect(take()).toEqual([])
    expect(waiting()).toEqual([])
    expect(opened.jobs.find({ status: 'success' })).toHaveLength(450)
  })

  it('shows a running attempt, and leaves it its file', () => {
    const file = new SpoolFile(ledger, someStart('a'))
    take()
    expect(status()).toEqual(['a running'])
    file.addSamples(someSamples(3), 3)
    take()
    expect(opened.jobs.samples('a')).toHaveLength(3)
    file.finish(someEnd())
    take()
    expect(status()).toEqual(['a success'])
    expect(waiting()).toEqual([])
  })

  it('gives up the file of an owner who is dead, with all it held', () => {
    const file = new SpoolFile(ledger, someStart('a'))
    file.addSamples(someSamples(3), 3)
    take(everybodyIsDead)
    expect(status()).toEqual(['a interrupted'])
    expect(opened.jobs.samples('a')).toHaveLength(3)
    expect(waiting()).toEqual([])
  })

  it('hears an owner who told the end and died while we looked', () => {
    const file = new SpoolFile(ledger, someStart('a'))
    take(() => {
      file.finish(someEnd())
      return true
    })
    expect(status()).toEqual(['a success'])
    expect(waiting()).toEqual([])
  })

  it('takes in what a look that was killed had taken away', () => {
    const { path } = new SpoolFile(ledger, someStart('a'))
    renameSync(path, `${path}.left`)
    take()
    expect(status()).toEqual(['a interrupted'])
    expect(waiting()).toEqual([])
  })

  it('believes an owner who tells the end though it was taken for dead', () => {
    const file = new SpoolFile(ledger, someStart('a'))
    file.addSamples(someSamples(2), 2)
    take(everybodyIsDead)
    expect(status()).toEqual(['a interrupted'])
    file.addSamples(someSamples(3).subarray(2 * sampleWidth), 1)
    file.finish(someEnd())
    take()
    expect(status()).toEqual(['a success'])
    expect(opened.jobs.samples('a')).toHaveLength(3)
    expect(waiting()).toEqual([])
  })

  it('removes what was never begun, when nobody will finish it any more', () => {
    const { path } = new SpoolFile(ledger, someStart('a'))
    writeFileSync(path, '{"spool":1,"sta')
    take(everybodyIsDead)
    expect(existsSync(path)).toBe(true)
    const hourAgo = Date.now() / 1000 - 3600
    utimesSync(path, hourAgo, hourAgo)
    expect(take(everybodyIsDead)).toEqual([])
    expect(existsSync(path)).toBe(false)
    expect(status()).toEqual([])
  })

  it('keeps what it cannot read, and says so once', () => {
    const { path } = new SpoolFile(ledger, someStart('a'))
    writeFileSync(path, 'garbage\n')
    expect(take()).toEqual([`a record cannot be read; it is kept as ${path}.broken`])
    expect(take()).toEqual([])
    expect(readFileSync(`${path}.broken`, 'utf8')).toBe('garbage\n')
  })

  it('leaves what a newer build wrote to that', () => {
    const { path } = new SpoolFile(ledger, someStart('a'))
    writeFileSync(path, '{"spool":2}\n')
    expect(take()).toEqual([`${path} was written by a newer jobmeter, and waits for it`])
    expect(existsSync(path)).toBe(true)
  })

  it('refuses a second attempt of the same id', () => {
    const begin = () => new SpoolFile(ledger, someStart('a'))
    begin()
    expect(begin).toThrow(/EEXIST/)
  })
})

describe('a spool that is not there', () => {
  it('has nothing to take in', () => {
    opened = openSqliteLedger(ledger)
    expect(take()).toEqual([])
  })

  it('is made, with all above it', () => {
    new SpoolFile(ledger, someStart('a')).finish(someEnd())
    opened = openSqliteLedger(ledger)
    expect(waiting()).toEqual(['a.jsonl'])
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700)
  })

  it('says which ledger it belongs to where it cannot be made', () => {
    writeFileSync(join(folder, 'state'), 'a file')
    expect(() => new SpoolFile(ledger, someStart('a'))).toThrow(`${ledger}: the ledger cannot be`)
    opened = openSqliteLedger(join(folder, 'other.db'))
  })
})
