import {
  fstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someStart } from '../../../test/contracts/attempts.ts'
import { openSqliteLedger } from '../ledger/open.ts'
import { LogFlusher } from './log-flusher.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** What of the folder this process has open. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`)
      return path.startsWith(directory) ? [path] : []
    } catch {
      return []
    }
  })

describe('a ledger to which much is written', () => {
  it('has its log open beside SQLite, loses nothing and leaves nothing open', async () => {
    const path = join(directory, 'ledger.db')
    const ledger = openSqliteLedger(path)
    const before = openFiles().length
    ledger.expectManyWrites()
    ledger.expectManyWrites()
    expect(openFiles()).toHaveLength(before + 1)
    for (let count = 0; count < 500; count += 1) ledger.jobs.begin(someStart(`task${count}`))
    ledger.close()
    await expect.poll(openFiles).toEqual([])
    const again = openSqliteLedger(path)
    expect(again.jobs.count({})).toBe(500)
    again.close()
  })
})

describe('LogFlusher', () => {
  it('syncs the log once in a while, one at a time, and closes it after the last', () => {
    const path = join(directory, 'ledger.db')
    writeFileSync(`${path}-wal`, '')
    const synced: number[] = []
    const underWay: (() => void)[] = []
    const flusher = new LogFlusher(path, (file, onDone) => {
      synced.push(fstatSync(file).ino)
      underWay.push(onDone)
    })
    const commit = (times: number): void => {
      for (let count = 0; count < times; count += 1) flusher.committed()
    }
    commit(47)
    expect(synced).toEqual([])
    commit(1)
    const { ino } = statSync(`${path}-wal`)
    expect(synced).toEqual([ino])
    commit(200)
    expect(synced).toEqual([ino])
    underWay.shift()?.()
    commit(1)
    expect(synced).toEqual([ino, ino])
    flusher.close()
    expect(openFiles()).toHaveLength(1)
    underWay.shift()?.()
    expect(openFiles()).toEqual([])
  })

  it('opens nothing that somebody put in the place of the log', () => {
    const path = join(directory, 'ledger.db')
    symlinkSync('/etc/passwd', `${path}-wal`)
    expect(() => new LogFlusher(path)).toThrow('ELOOP')
  })
})
