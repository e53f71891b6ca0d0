import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeJob, nodeRound } from '../../../test/node/made-round.ts'
import { repository } from '../../../test/workloads/compile.ts'
import { openNodeHistory } from './history/open-history.ts'
import { openNodeReader, openNodeStore } from './open-node.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  path = join(folder, 'node.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

function makeVersion1(): void {
  using database = new DatabaseSync(path)
  database.exec(readFileSync(join(repository, 'test/fixtures/node/version-1.sql'), 'utf8'))
}

/** All tables and indexes, with their columns. */
function shapeOf(file: string): unknown[] {
  using database = new DatabaseSync(file, { readOnly: true })
  const found = database
    .prepare(`SELECT type, name, tbl_name FROM sqlite_schema ORDER BY type, name`)
    .all()
  return found.map(({ type, name, tbl_name: table }) => ({
    type,
    name,
    table,
    columns: database.prepare('SELECT * FROM pragma_table_xinfo(?)').all(String(name)),
  }))
}

describe('a database of version 1', () => {
  it('has what a new one has, once it was opened for writing', () => {
    makeVersion1()
    openNodeStore(path).close()
    const fresh = join(folder, 'fresh.db')
    openNodeStore(fresh).close()
    expect(shapeOf(path)).toEqual(shapeOf(fresh))
    using database = new DatabaseSync(path, { readOnly: true })
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
  })

  it.each(['an agent', 'an import'])('goes on where it was, with %s', (opened) => {
    makeVersion1()
    const first = opened === 'an agent' ? openNodeStore(path) : openNodeHistory(path)
    first.close()
    const store = openNodeStore(path)
    const at = Date.UTC(2026, 10, 15) / 1e3
    expect(store.addRound(nodeRound(at, [nodeJob('9', 'cyd', 1)]))).toBe(3)
    store.close()
    const reader = openNodeReader(path)
    const yesterday = Date.UTC(2026, 10, 14) / 1e3
    expect(reader.states({ from: 0, to: 4e9, hosts: ['plain'] })).toMatchObject([
      { at: yesterday + 600, epoch: null, cores: null },
    ])
    expect(reader.stretches(0, 4e9).map(({ host, epoch }) => [host, epoch])).toContainEqual([
      'node01',
      'first boot',
    ])
    reader.close()
    // What the earlier version forgot: that the account is one of hers.
    const ofAda = openNodeReader(path, { users: ['ada'] })
    expect(ofAda.jobs({ hosts: ['node01'] })).toMatchObject([{ id: '7', account: 'physics' }])
    ofAda.close()
    const history = openNodeHistory(path)
    expect(history.hostHistory('plain').stretches).toHaveLength(2)
    history.close()
  })

  it('is not read before that, and says what to do', () => {
    makeVersion1()
    const refused = expect.objectContaining({
      code: 'older',
      message: expect.stringMatching(/version 1; this build reads version 2.*agent/) as string,
    }) as Error
    expect(() => openNodeReader(path)).toThrow(refused)
    openNodeStore(path).close()
    openNodeReader(path).close()
  })
})
