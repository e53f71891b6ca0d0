import {
  linkSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failed } from '../model/reading.ts'
import { askSocket } from './ask-socket.ts'
import { listenForUsers, type Caller, type UserSocket } from './user-socket.ts'

let folder = ''
let path = ''
const open: UserSocket[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  path = join(folder, 'made', 'agent.sock')
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
  rmSync(folder, { recursive: true })
})

async function listen(heard: (caller: Caller) => void): Promise<void> {
  const socket = await listenForUsers(path, heard)
  if (socket.kind !== 'ok') throw new Error(JSON.stringify(socket))
  open.push(socket.value)
}

/** All that is said until the other end hangs up. */
async function hearAll(text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let said = ''
  const socket = connect(path, () => socket.write(text))
  socket.on('data', (part) => (said += String(part)))
  socket.on('error', () => undefined)
  socket.on('close', () => resolve(said))
  return promise
}

describe('a socket where users ask', () => {
  it('knows who asks, and can refuse', async () => {
    const uids: number[] = []
    await listen((caller) => {
      uids.push(caller.uid)
      caller.refuse(Buffer.from('not today\n'))
    })
    expect(await hearAll('')).toBe('not today\n')
    expect(await hearAll('x'.repeat(100_000))).toBe('not today\n')
    expect(uids).toEqual([process.getuid?.(), process.getuid?.()])
  })

  it('is everybody’s to ask at, whatever the umask, and nobody’s to write beside', async () => {
    const before = process.umask(0o077)
    try {
      await listen((caller) => caller.refuse(Buffer.from('')))
    } finally {
      process.umask(before)
    }
    expect(statSync(path).mode & 0o666).toBe(0o666)
    expect(statSync(join(folder, 'made')).mode & 0o777).toBe(0o755)
  })

  it('gives a caller to a program, and ends that when its time is over', async () => {
    const ended = Promise.withResolvers<void>()
    const given = [String(process.getuid?.()), join(folder, 'none.db')]
    await listen((caller) =>
      caller.handTo('agent/answers/answer-helper', given, 0.01, ended.resolve),
    )
    expect(await hearAll('')).toBe('')
    await ended.promise
  })

  it('takes the place of a socket that was left behind, and of nothing else', async () => {
    await listen(() => undefined)
    // As a process does that is killed: nobody listens any more, and the name stays.
    linkSync(path, `${path}.left`)
    for (const socket of open.splice(0)) socket.close()
    renameSync(`${path}.left`, path)
    await listen((caller) => caller.refuse(Buffer.from('the second\n')))
    expect(await hearAll('')).toBe('the second\n')
    path = join(folder, 'file')
    writeFileSync(path, 'mine')
    expect(await listenForUsers(path, () => undefined)).toMatchObject({ kind: 'failed' })
  })
})

describe('a socket at which somebody answers', () => {
  const first = (caller: Caller): void => caller.refuse(Buffer.from('the first\n'))

  it('is not taken from them', async () => {
    await listen(first)
    const second = await listenForUsers(path, () => undefined)
    expect(second).toEqual(failed(`no socket at ${path}: another agent answers there`))
    expect(await hearAll('')).toBe('the first\n')
  })

  it('is not deleted by somebody else who had that name before', async () => {
    await listen(() => undefined)
    const [before] = open.splice(0)
    expect(before?.isInPlace()).toBe(true)
    rmSync(path)
    expect(before?.isInPlace()).toBe(false)
    await listen(first)
    expect(before?.isInPlace()).toBe(false)
    before?.close()
    expect(await hearAll('')).toBe('the first\n')
  })

  it('is deleted by its own at the end', async () => {
    await listen(first)
    for (const socket of open.splice(0)) socket.close()
    expect(readdirSync(join(folder, 'made'))).toEqual([])
  })
})

describe('asking at a socket', () => {
  const asked = { peer: 0, waitSeconds: 1, mostBytes: 100 }

  it('says that nobody is there', () => {
    expect(askSocket(path, Buffer.from('x'), asked)).toMatchObject({ kind: 'unavailable' })
    expect(askSocket(`/${'x'.repeat(200)}`, Buffer.from('x'), asked)).toMatchObject({
      kind: 'failed',
    })
  })
})
