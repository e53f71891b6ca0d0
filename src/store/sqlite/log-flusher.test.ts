import { mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
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
  it('has its log synced meanwhile, loses nothing and leaves nothing open', async () => {
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
  it('opens nothing that somebody put in the place of the log', () => {
    const path = join(directory, 'ledger.db')
    symlinkSync('/etc/passwd', `${path}-wal`)
    expect(() => new LogFlusher(path)).toThrow('ELOOP')
  })
})
