import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../test/contracts/attempts.ts'
import { canHaveFuse, hasBindfs, networkDisk } from '../../test/network-disk.ts'
import { sandbox } from '../../test/program.ts'
import { isOnNetwork } from './network-disk.ts'
import { openSqliteLedger } from './ledger/open.ts'

const journalOf = (path: string): unknown => {
  const database = new DatabaseSync(path)
  const mode = database.prepare('PRAGMA journal_mode').get()?.['journal_mode']
  database.close()
  return mode
}

describe('a local disk', () => {
  it('is told apart, for a file that is not there yet too', () => {
    expect(isOnNetwork(import.meta.filename)).toBe(false)
    expect(isOnNetwork(join(tmpdir(), 'no', 'such', 'ledger.db'))).toBe(false)
  })
})

describe.skipIf(!canHaveFuse || !hasBindfs())('a disk that other machines may write to', () => {
  it('is told apart, for a file that is not there yet too', () => {
    using disk = networkDisk()
    expect(isOnNetwork(disk.path)).toBe(true)
    expect(isOnNetwork(join(disk.path, 'no', 'such', 'ledger.db'))).toBe(true)
  })

  it('has a ledger without the log that only one machine can read', () => {
    using disk = networkDisk()
    const path = join(disk.path, 'ledger.db')
    const [one, other] = [openSqliteLedger(path).jobs, openSqliteLedger(path).jobs]
    one.finish(one.begin(someStart('a')), someEnd())
    other.finish(other.begin(someStart('b')), someEnd())
    expect(one.find({})).toHaveLength(2)
    expect(existsSync(`${path}-wal`)).toBe(false)
    one.close()
    other.close()
    expect(journalOf(path)).toBe('delete')
  })

  it('has a ledger that was brought there do without it, and one that left have it again', () => {
    using disk = networkDisk()
    const local = mkdtempSync(join(tmpdir(), 'jobmeter-local-'))
    const path = join(disk.path, 'ledger.db')
    const made = new DatabaseSync(path)
    made.exec('PRAGMA journal_mode = WAL')
    made.close()
    openSqliteLedger(path).jobs.close()
    expect(journalOf(path)).toBe('delete')
    const back = new DatabaseSync(join(local, 'ledger.db'))
    back.exec('PRAGMA journal_mode = DELETE')
    back.close()
    openSqliteLedger(join(local, 'ledger.db')).jobs.close()
    expect(journalOf(join(local, 'ledger.db'))).toBe('wal')
    rmSync(local, { recursive: true })
  })

  it('takes the records of many runs at once', async () => {
    using disk = networkDisk()
    using box = sandbox()
    const env = { JOBMETER_DB: join(disk.path, 'ledger.db') }
    const names = Array.from({ length: 8 }, (_, index) => `job-${index}`)
    await Promise.all(
      names.map((name) => box.jobmeter(['run', '-q', '--name', name, '--', 'true'], { env })),
    )
    // Only who looks opens the ledger.
    expect(readdirSync(disk.path)).toEqual(['ledger.db.spool'])
    const { stdout } = await box.jobmeter(['history', '--format', 'json'], { env })
    const records = JSON.parse(stdout) as { name: string }[]
    expect(records.map(({ name }) => name).toSorted()).toEqual(names)
    const doctor = await box.jobmeter(['doctor', '--format', 'json'], { env })
    expect(doctor.stdout).toContain('on a disk shared with other machines')
  })
})
