import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asRootOnly, stranger } from '../../test/root-only.ts'
import { isForeignToRoot, strangersOn } from './strangers.ts'

let folder: string
const at = (name: string): string => join(folder, name)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-strangers-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function make(name: string, mode: number, owner = { uid: 0, gid: 0 }): void {
  mkdirSync(at(name))
  chownSync(at(name), owner.uid, owner.gid)
  chmodSync(at(name), mode)
}

describe.skipIf(asRootOnly.isSkipped)(`a path as root sees it${asRootOnly.why}`, () => {
  it('is root’s where only root can change what it leads to', () => {
    make('own', 0o755)
    make('admin', 0o775)
    symlinkSync(at('own'), at('link'))
    for (const path of ['own/ledger.db', 'link/ledger.db', 'admin/not/there/ledger.db'])
      expect(isForeignToRoot(at(path)), path).toBe(false)
  })

  it('is nobody else’s where nothing can be: a folder in a file', () => {
    expect(isForeignToRoot('/etc/passwd/.local/ledger.db')).toBe(false)
  })

  it('is foreign where another owns any part of it', () => {
    make('theirs', 0o700, stranger)
    make('theirs/roots', 0o700)
    symlinkSync(at('theirs/roots'), at('link'))
    symlinkSync(at('link'), at('theirs/back'))
    symlinkSync(at('theirs/back'), at('twice'))
    make('own', 0o755)
    writeFileSync(at('own/given.db'), '')
    chownSync(at('own/given.db'), stranger.uid, stranger.gid)
    for (const path of [
      'theirs/l.db',
      'theirs/roots/l.db',
      'link/l.db',
      'twice/l.db',
      'own/given.db',
    ])
      expect(strangersOn(at(path)).uids, path).toEqual(new Set([stranger.uid]))
  })

  it('is foreign where others may put something on the way', () => {
    make('open', 0o777)
    make('group', 0o775, { uid: 0, gid: stranger.gid })
    make('tmp', 0o1777)
    make('tmp/own', 0o755)
    writeFileSync(at('tmp/roots.db'), '')
    for (const path of ['open/a/l.db', 'group/l.db', 'tmp/l.db', 'tmp/roots.db', 'tmp/new/l.db'])
      expect(strangersOn(at(path)), path).toEqual({ uids: new Set(), isForAll: true })
    expect(isForeignToRoot(at('tmp/own/l.db'))).toBe(false)
  })

  it('is foreign where links lead in a circle or out of root’s sight', () => {
    make('tmp', 0o1777)
    symlinkSync(at('tmp/a'), at('a'))
    expect(isForeignToRoot(at('a/l.db'))).toBe(true)
    symlinkSync(at('round'), at('round'))
    expect(strangersOn(at('round/l.db')).uids.size).toBe(0)
  })
})
