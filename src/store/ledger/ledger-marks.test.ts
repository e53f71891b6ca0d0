import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applicationId, looksUsable, newestVersion } from './ledger-marks.ts'
import { openSqliteLedger } from './open.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-marks-'))
  path = join(folder, 'ledger.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

function database(...statements: readonly string[]): void {
  const made = new DatabaseSync(path)
  for (const statement of statements) made.exec(statement)
  made.close()
}

describe('a look at the first bytes of a file', () => {
  it('takes a ledger, and one that is still to be made', () => {
    expect(looksUsable(path)).toBe(true)
    openSqliteLedger(path).jobs.close()
    expect(looksUsable(path)).toBe(true)
  })

  it('says that a newer ledger is not for us', () => {
    database(
      `PRAGMA application_id = ${applicationId}`,
      `PRAGMA user_version = ${newestVersion + 1}`,
      'CREATE TABLE job (id)',
    )
    expect(looksUsable(path)).toBe(false)
  })

  it.each([
    ['an empty file', () => writeFileSync(path, '')],
    ['a short file', () => writeFileSync(path, 'SQLite format 3\0')],
    ['another file', () => writeFileSync(path, 'x'.repeat(200))],
    ['a database of another program', () => database('CREATE TABLE visits (url)')],
  ])('leaves %s to SQLite', (_, make) => {
    make()
    expect(looksUsable(path)).toBe(false)
    expect(looksUsable(folder)).toBe(false)
  })
})
