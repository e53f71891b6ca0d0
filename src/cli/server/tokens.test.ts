import { chmodSync, chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { LedgerFolder } from '../../../test/ledger-folder.ts'
import { RecordingConsole } from '../../../test/recorded-workflow.ts'
import { asRootOnly, stranger } from '../../../test/root-only.ts'
import { smallDisk, withSmallDisk } from '../../../test/small-disk.ts'
import { daySeconds } from '../../model/time-parts.ts'
import { TokenCheck } from '../../service/tokens/token-check.ts'
import { realSystem } from '../../system/real.ts'
import { execute } from './tokens.ts'

const at = new LedgerFolder()
const ask = (...argv: string[]) => at.ask(execute, argv)
const create = async (...argv: string[]): Promise<string> =>
  (await ask('create', ...argv)).text.trim()

/** The server, so many seconds later. */
function check(later = 0, tell: (problem: string) => void = () => {}): TokenCheck {
  const system = realSystem({ ownsProcess: false })
  const clock = { ...system.clock, wallSeconds: () => system.clock.wallSeconds() + later }
  return new TokenCheck({ ...system, clock }, at.db, tell)
}

describe('tokens', () => {
  it('are printed once, and kept as a hash in a private file', async () => {
    const { text, notes } = await ask('create', 'ci', '--scope', 'read,act', '--user', 'ada')
    expect(text).toMatch(/^jm_[0-9a-f]{12}_[\w-]{43}\n$/)
    expect(notes).toContain('not shown again')
    const file = join(at.directory, 'tokens.db')
    const secret = text.trim().slice(16)
    for (const end of ['', '-wal'])
      expect(readFileSync(file + end, { flag: 'a+' }).includes(secret)).toBe(false)
    expect(statSync(file).mode & 0o077).toBe(0)
    const listed = await ask('list', '--format', 'json')
    expect(listed.text).not.toContain(secret)
    expect(JSON.parse(listed.text)).toMatchObject([
      { name: 'ci', user: 'ada', role: 'user', scopes: ['read', 'act'], state: 'valid' },
    ])
  })

  it('are known to the server, also one that runs, until they are revoked', async () => {
    const server = check()
    expect(server.find('jm_0123456789ab_' + 'x'.repeat(43))).toBeNull()
    const text = await create('ci', '--user', 'ada')
    expect(server.find(text)).toMatchObject({ user: 'ada', scopes: ['read'], role: 'user' })
    const { text: said } = await ask('revoke', 'ci')
    expect(said).toContain('is revoked')
    expect(server.find(text)).toBeNull()
    server.close()
    expect((await ask('list')).text).toContain('revoked')
  })

  it('are refused with any other secret or shape', async () => {
    const text = await create('ci')
    const other = await create('other')
    const last = text.endsWith('A') ? 'B' : 'A'
    const server = check()
    for (const wrong of [
      '',
      'jm_',
      text.slice(0, -1),
      `${text}x`,
      `${text}\n`,
      text.toUpperCase(),
      text.slice(0, 16) + other.slice(16),
      text.slice(0, 20) + last + text.slice(21),
    ])
      expect(server.find(wrong)).toBeNull()
    expect(server.find(text)?.name).toBe('ci')
    server.close()
  })

  it('expire', async () => {
    const text = await create('ci', '--expires', '1d')
    const [before, after] = [check(daySeconds - 60), check(daySeconds + 60)]
    expect(before.find(text)).not.toBeNull()
    expect(after.find(text)).toBeNull()
    before.close()
    after.close()
  })

  it('tell when they were last used, to the minute', async () => {
    const text = await create('ci')
    const used = async (): Promise<unknown> =>
      (JSON.parse((await ask('list', '--format', 'json')).text) as { last_used_at: unknown }[])[0]
        ?.last_used_at
    expect(await used()).toBeNull()
    const seen: unknown[] = []
    for (const later of [0, 50, 70]) {
      const server = check(later)
      server.find(text)
      server.close()
      seen.push(await used())
    }
    expect(seen[0]).not.toBeNull()
    expect(seen[1]).toBe(seen[0])
    expect(seen[2]).not.toBe(seen[0])
  })

  it.each([
    [['create', 'x', '--scope', 'all'], 'read'],
    [['create', 'x', '--expires', '30'], 'unit'],
  ])('%j is refused', async (argv, why) => {
    const { code, notes } = await ask(...argv)
    expect(code).toBe(2)
    expect(notes).toContain(why)
  })

  it('need a name, and can be revoked only where they are', async () => {
    await expect(ask('create', ' ')).rejects.toThrow('needs a name')
    await expect(ask('revoke', 'none')).rejects.toThrow('no token has the id or name "none"')
  })

  it('have a name and a user that can be shown', async () => {
    for (const odd of ['x'.repeat(101), 'a\nb', 'a\u001b[2J', 'a\u202eb']) {
      await expect(ask('create', odd)).rejects.toThrow('the name of a token has at most 100')
      await expect(ask('create', 'ci', '--user', odd)).rejects.toThrow('the user of a token')
    }
    expect((await ask('create', 'ü'.repeat(100))).code).toBe(0)
  })

  it('are not said to be none where they cannot be read', async () => {
    await create('ci')
    const database = new DatabaseSync(join(at.directory, 'tokens.db'))
    database.exec("UPDATE token SET role = 'emperor'")
    database.close()
    const { code, text, notes } = await ask('list')
    expect([code, text]).toEqual([1, ''])
    expect(notes).toContain('a record is damaged')
    expect(await ask('list', '--format', 'json')).toMatchObject({ code: 1, text: '[]\n' })
  })

  it('are revoked by id where several have the name', async () => {
    await create('ci')
    const second = await create('ci')
    await expect(ask('revoke', 'ci')).rejects.toThrow('2 tokens are named "ci"')
    expect((await ask('revoke', second.slice(3, 15))).code).toBe(0)
    expect((await ask('revoke', 'ci')).code).toBe(0)
  })
})

describe('a file with tokens that others could have written', () => {
  const file = () => join(at.directory, 'tokens.db')

  /** The server lets nobody in by it and says why, once. */
  function expectNobodyIn(text: string, why: string): void {
    const told: string[] = []
    const server = check(0, (problem) => told.push(problem))
    expect([server.find(text), server.find(text)]).toEqual([null, null])
    server.close()
    expect(told).toEqual([expect.stringContaining(why)])
  }

  async function expectRefused(text: string, why: string): Promise<void> {
    expectNobodyIn(text, why)
    await expect(ask('list')).rejects.toThrow(why)
    await expect(ask('create', 'more')).rejects.toThrow(why)
  }

  it.each([0o620, 0o602, 0o666])('is refused with the mode %o', async (mode) => {
    const text = await create('ci', '--role', 'administrator')
    chmodSync(file(), mode)
    await expectRefused(text, 'chmod 600')
    chmodSync(file(), 0o600)
    const server = check()
    expect(server.find(text)?.name).toBe('ci')
    server.close()
  })

  it.each(['-wal', '-shm', '-journal'])(
    'is refused with a %s that others can write',
    async (end) => {
      const text = await create('ci')
      writeFileSync(file() + end, '')
      chmodSync(file() + end, 0o666)
      await expectRefused(text, `tokens.db${end}`)
    },
  )

  describe.skipIf(asRootOnly.isSkipped)(`of another user${asRootOnly.why}`, () => {
    it('is refused in a directory of everybody', async () => {
      const text = await create('ci', '--role', 'administrator')
      // Where root's own commands would use another ledger.
      chmodSync(at.directory, 0o777)
      chownSync(file(), stranger.uid, stranger.gid)
      expectNobodyIn(text, 'belongs to somebody else')
    })

    it.each([0o2770, 0o700])('is refused in a directory of mode %o', async (mode) => {
      const text = await create('ci', '--role', 'administrator')
      chmodSync(at.directory, mode)
      chownSync(file(), stranger.uid, stranger.gid)
      await expectRefused(text, 'belongs to somebody else')
    })

    it('is refused by a server that runs, when it is put in the place of ours', async () => {
      const text = await create('ci', '--role', 'administrator')
      const server = check()
      expect(server.find(text)?.name).toBe('ci')
      writeFileSync(join(at.directory, 'planted'), readFileSync(file()))
      chownSync(join(at.directory, 'planted'), stranger.uid, stranger.gid)
      renameSync(join(at.directory, 'planted'), file())
      expect(server.find(text)).toBeNull()
      server.close()
    })
  })
})

describe.skipIf(withSmallDisk.isSkipped)(
  `tokens on a disk that cannot be written to${withSmallDisk.why}`,
  () => {
    it.each(['full', 'read-only'] as const)('let people in: %s', async (how) => {
      const path = (name: string) => join(at.directory, name)
      using disk = smallDisk({ directory: at.directory, path }, 512)
      const db = join(disk.path, 'ledger.db')
      const on = async (...argv: string[]) => {
        const console = new RecordingConsole()
        await execute([...argv, '--db', db], console)
        return console.printed.trim()
      }
      const text = await on('create', 'ci')
      if (how === 'full') disk.fill()
      else disk.makeReadOnly()
      const told: string[] = []
      const server = new TokenCheck(realSystem({ ownsProcess: false }), db, (problem) =>
        told.push(problem),
      )
      expect([server.find(text)?.name, server.find(text)?.name]).toEqual(['ci', 'ci'])
      expect(told).toEqual([])
      if (how === 'full') disk.free()
      else disk.makeWritable()
      await on('revoke', 'ci')
      expect(server.find(text)).toBeNull()
      server.close()
    })
  },
)
