import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someStart } from '../../test/contracts/attempts.ts'
import { asRootOnly, stranger } from '../../test/root-only.ts'
import type { Owner } from '../model/machine.ts'
import { LifeSign, notesOf, removeAbandonedSigns, removeSign } from '../store/spool/life-sign.ts'
import { spoolDirectory } from '../store/spool/spool-directory.ts'
import { SpoolFile } from '../store/spool/spool-file.ts'
import { signName } from '../store/spool/spool-names.ts'
import { fakeSystem } from '../system/fake.ts'
import { realSystem } from '../system/real.ts'
import { lifeByPid, ourselves } from './owner.ts'
import { Owners } from './owners.ts'

let folder: string
let ledger: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-owners-'))
  ledger = join(folder, 'ledger.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const real = realSystem({ ownsProcess: false })
const noLocks = { ...real, files: { ...real.files, tryLock: () => 'unavailable' as const } }
const now = () => real.clock.wallSeconds()

/** An owner whom nobody sees: all there is of it is its sign. */
const signless: Owner = { host: 'far', bootId: 'other', pid: 7, startTicks: 7 }
const unseen = (isLocked: boolean): Owner => ({ ...signless, sign: { name: 'abc', isLocked } })

const signOf = (name: string): string => join(spoolDirectory(ledger), signName(name))

function silence(seconds: number): void {
  const at = now() - seconds
  utimesSync(signOf('abc'), at, at)
}

describe('an owner who is not seen', () => {
  it('lives as long as it has its file locked, however long it is silent', () => {
    const sign = LifeSign.make(ledger, 'abc', real.files.tryLock)
    expect(sign.isLocked).toBe(true)
    silence(1e6)
    expect(new Owners(real, ledger).lifeOf(unseen(true), 0)).toBe('alive')
    sign.remove()
  })

  it.each([
    { locks: 'gone', system: real, isLocked: true, silent: 5, life: 'alive' },
    { locks: 'gone', system: real, isLocked: true, silent: 25, life: 'unknown' },
    { locks: 'gone', system: real, isLocked: true, silent: 35, life: 'dead' },
    { locks: 'never taken', system: real, isLocked: false, silent: 35, life: 'unknown' },
    { locks: 'never taken', system: real, isLocked: false, silent: 301, life: 'dead' },
    { locks: 'not to be had', system: noLocks, isLocked: true, silent: 290, life: 'unknown' },
    { locks: 'not to be had', system: noLocks, isLocked: true, silent: 301, life: 'dead' },
  ])('and whose lock is $locks is $life after $silent s', ({ system, isLocked, silent, life }) => {
    LifeSign.make(ledger, 'abc', () => 'unavailable')
    silence(silent)
    expect(new Owners(system, ledger).lifeOf(unseen(isLocked), now())).toBe(life)
  })

  it.each([
    { hours: 23, life: 'unknown' },
    { hours: 25, life: 'dead' },
  ])('and gives no sign is $life after $hours hours', ({ hours, life }) => {
    const heardAt = now() - hours * 3600
    expect(new Owners(real, ledger).lifeOf(signless, heardAt)).toBe(life)
    expect(new Owners(real, ledger).lifeOf(unseen(true), heardAt)).toBe(life)
  })

  it('puts its file back, with its notes and its lock, if it was taken away', () => {
    const sign = LifeSign.make(ledger, 'abc', real.files.tryLock)
    sign.note('a', 'one')
    rmSync(signOf('abc'))
    sign.beat(now())
    const descriptor = openSync(signOf('abc'), 'r')
    expect(real.files.tryLock(descriptor, 'shared')).toBe('held by another')
    closeSync(descriptor)
    sign.remove()
  })
})

describe('the owner of a record that lies in another place', () => {
  const owners = new Owners(real, '/dev/null/ledger.db')
  const elsewhere = () =>
    new SpoolFile('/dev/null/ledger.db', someStart(real.randomId()), {
      tryLock: real.files.tryLock,
    })

  it('lives as long as it has the file locked, as a record and as a sign', () => {
    const file = elsewhere()
    expect(file.path).toMatch(/^\/var\/tmp\/jobmeter-/)
    const owner = { ...signless, ...pick(file) }
    expect(owner.sign).toMatchObject({ isLocked: true })
    expect(owners.lifeOf(owner, 0)).toBe('alive')
    expect(owners.isHeld(owner.sign.name)).toBe(true)
    const sign = file.handOver()
    if (sign === undefined) throw new Error('there is no file')
    expect(sign.path).toMatch(/^\/var\/tmp\/jobmeter-.*\.alive$/)
    utimesSync(sign.path, 1, 1)
    expect(owners.lifeOf(owner, 0)).toBe('alive')
    closeSync(sign.descriptor)
    expect(owners.lifeOf(owner, now())).toBe('dead')
    removeAbandonedSigns('/dev/null/ledger.db', real.files.tryLock, now())
    expect(existsSync(sign.path)).toBe(false)
    rmSync(dirname(sign.path), { recursive: true })
  })

  const pick = (file: SpoolFile) => {
    const { sign } = file.start.owner
    if (sign === undefined) throw new Error('it gives no sign')
    return { sign }
  }
})

describe('a sign with the name of a file elsewhere', () => {
  it('leads nowhere', () => {
    const other = join(folder, 'x.alive')
    closeSync(openSync(other, 'w'))
    LifeSign.make(ledger, 'abc', () => 'unavailable')
    const owner = { ...signless, sign: { name: '../x', isLocked: false } }
    expect(new Owners(real, ledger).lifeOf(owner, 0)).toBe('dead')
    expect(new Owners(real, ledger).lifeOf(unseen(false), 0)).toBe('alive')
    removeSign(ledger, '../x')
    expect(existsSync(other)).toBe(true)
  })
})

describe('the table of processes', () => {
  it('says that we live, in the same namespace only', () => {
    const us = ourselves(real)
    expect(us.pidNamespace).toMatch(/^pid:/)
    expect(lifeByPid(real, us, us)).toBe('alive')
    expect(lifeByPid(real, us, { ...us, pidNamespace: 'pid:[1]' })).toBe('unknown')
  })

  it('proves nothing of what an older build began but that it lives', () => {
    const us = ourselves(real)
    const { host, bootId, pid, startTicks } = us
    expect(lifeByPid(real, us, { host, bootId, pid, startTicks })).toBe('alive')
    expect(lifeByPid(real, us, { host, bootId, pid, startTicks: 1 })).toBe('unknown')
  })

  it('of another pid namespace is not believed', () => {
    const stat = '77 (node) S 7 1 7 0 -1 0 9 0 0 0 1 1 0 0 20 0 11 0 5000 9 9'
    const system = fakeSystem({
      files: { '/proc/self/stat': stat, '/proc/self/ns/pid': 'pid:[1]' },
    })
    const us = ourselves(system)
    expect(us).not.toHaveProperty('pidNamespace')
    expect(lifeByPid(system, us, { ...us, pid: 9 })).toBe('unknown')
  })

  it('may hide the processes of others', () => {
    const us = ourselves(real)
    const hidden = { ...real, processes: { ...real.processes, exists: () => true } }
    expect(lifeByPid(hidden, us, { ...us, pid: 2 ** 22 + 1 })).toBe('unknown')
    expect(lifeByPid(real, us, { ...us, pid: 2 ** 22 + 1 })).toBe('dead')
  })
})

describe('signs of owners who died long ago', () => {
  it('are removed after a day, unless they are locked', () => {
    LifeSign.make(ledger, 'abc', () => 'unavailable')
    silence(80_000)
    removeAbandonedSigns(ledger, real.files.tryLock, now())
    expect(existsSync(signOf('abc'))).toBe(true)
    silence(90_000)
    removeAbandonedSigns(ledger, real.files.tryLock, now())
    expect(existsSync(signOf('abc'))).toBe(false)
    const locked = LifeSign.make(ledger, 'abc', real.files.tryLock)
    silence(90_000)
    removeAbandonedSigns(ledger, real.files.tryLock, now())
    expect(existsSync(signOf('abc'))).toBe(true)
    locked.remove()
  })
})

describe('notes in a sign of life', () => {
  it('are found again, one for each thing that lasts', () => {
    const sign = LifeSign.make(ledger, 'abc', real.files.tryLock)
    for (const about of ['a', 'b', 'c']) sign.note(about, `${about} – ünï`)
    sign.forget('b')
    sign.note('d', 'd')
    sign.note('c', 'changed')
    sign.note('e', 'x'.repeat(5000))
    expect(notesOf(ledger, 'abc')).toEqual(['a – ünï', 'd', 'changed'])
    expect(notesOf(ledger, 'none')).toEqual([])
    sign.remove()
  })

  it.skipIf(asRootOnly.isSkipped)('is read from a place that is ours alone', () => {
    const sign = LifeSign.make(ledger, 'abc', real.files.tryLock)
    sign.note('a', 'a trace')
    const directory = dirname(signOf('abc'))
    chmodSync(directory, 0o777)
    expect(notesOf(ledger, 'abc')).toEqual([])
    chmodSync(directory, 0o700)
    chownSync(signOf('abc'), stranger.uid, stranger.gid)
    expect(notesOf(ledger, 'abc')).toEqual([])
    chownSync(signOf('abc'), 0, 0)
    chownSync(directory, stranger.uid, stranger.gid)
    expect(notesOf(ledger, 'abc')).toEqual([])
    chownSync(directory, 0, 0)
    expect(notesOf(ledger, 'abc')).toEqual(['a trace'])
    sign.remove()
  })
})
