import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openNodeStore } from './open-node.ts'
import { shareWithGroup } from './share-with-group.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const group = 65_534
const place = (name: string): string => {
  const { mode, gid } = statSync(join(folder, name))
  return `${(mode & 0o777).toString(8)} ${gid}`
}

// Only root can give a file to a group that it is not in.
describe.skipIf(process.getuid?.() !== 0)('a database that a group may read', () => {
  it('is shared with all that lies beside it, and is its owner’s again', () => {
    const store = openNodeStore(join(folder, 'data', 'node.db'))
    const files = ['data/node.db', 'data/node.db-wal', 'data/node.db-shm']
    expect(store.shareWith(group)).toBeUndefined()
    expect(place('data')).toBe(`750 ${group}`)
    for (const file of files) expect(place(file)).toBe(`640 ${group}`)
    expect(store.shareWith(null)).toBeUndefined()
    expect(place('data')).toBe('700 0')
    for (const file of files) expect(place(file)).toBe('600 0')
    store.close()
  })

  it('does not open a folder in which other things are, and says so', () => {
    mkdirSync(join(folder, 'data'), 0o700)
    writeFileSync(join(folder, 'data', 'letters'), '')
    const store = openNodeStore(join(folder, 'data', 'node.db'))
    expect(store.shareWith(group)).toContain(`cannot enter ${join(folder, 'data')}`)
    expect(place('data')).toBe('700 0')
    store.close()
  })

  it('says that it could not, where the folder is gone', () => {
    expect(shareWithGroup(join(folder, 'gone', 'node.db'), group)).toMatch(/ENOENT/)
  })

  it('changes nothing that a link leads to', () => {
    writeFileSync(join(folder, 'other'), '', { mode: 0o600 })
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data', 'node.db'), '', { mode: 0o600 })
    symlinkSync(join(folder, 'other'), join(folder, 'data', 'node.db-wal'))
    shareWithGroup(join(folder, 'data', 'node.db'), group)
    expect(place('other')).toBe('600 0')
    expect(place('data/node.db')).toBe(`640 ${group}`)
  })
})
