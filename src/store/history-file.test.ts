import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { smallDisk, withSmallDisk } from '../../test/small-disk.ts'
import { addHistoryLine } from './history-file.ts'

const door = {
  tryLock: () => 'got' as const,
  pause: () => new Promise<void>((go) => setImmediate(go)),
}

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-history-'))
  path = join(directory, 'deeper', 'jobs_history.jsonl')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const lines = (): string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1)

describe('a history file', () => {
  it('is made for its owner alone, and gets longer', async () => {
    await addHistoryLine(path, '{"a":1}', door)
    await addHistoryLine(path, '{"b":"é"}', door)
    expect(lines()).toEqual(['{"a":1}', '{"b":"é"}'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(directory, 'deeper')).mode & 0o777).toBe(0o700)
  })

  it('keeps whole lines of several programs that write at once', async () => {
    const program = `
      import { addHistoryLine } from ${JSON.stringify(join(import.meta.dirname, 'history-file.ts'))}
      import { realSystem } from ${JSON.stringify(join(import.meta.dirname, '../system/real.ts'))}
      const { tryLock } = realSystem({ ownsProcess: false }).files
      const pause = (seconds) => new Promise((go) => setTimeout(go, seconds * 1000))
      for (let n = 0; n < 100; n++)
        await addHistoryLine(process.argv[1], JSON.stringify({ who: process.argv[2], n, x: 'y'.repeat(n * 200) }), { tryLock, pause })`
    const who = ['a', 'b', 'c', 'd']
    const children = who.map((name) =>
      spawn(process.execPath, ['--input-type=module-typescript', '-e', program, path, name], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    )
    const codes = await Promise.all(children.map((child) => once(child, 'exit')))
    expect(codes).toEqual(who.map(() => [0, null]))
    const told = lines().map((line) => JSON.parse(line) as { who: string; n: number })
    for (const name of who)
      expect(told.filter((line) => line.who === name).map(({ n }) => n)).toEqual(
        Array.from({ length: 100 }, (_, n) => n),
      )
  })

  it('does not let a line that was cut off spoil the next one', async () => {
    await addHistoryLine(path, '{"a":1}', door)
    appendFileSync(path, '{"cut')
    await addHistoryLine(path, '{"b":2}', door)
    expect(lines()).toEqual(['{"a":1}', '{"cut', '{"b":2}'])
  })

  it('writes though somebody has held the lock for long', async () => {
    const pauses: number[] = []
    await addHistoryLine(path, '{"a":1}', {
      tryLock: () => 'held by another',
      pause: async (seconds) => void pauses.push(seconds),
    })
    expect(lines()).toEqual(['{"a":1}'])
    expect(pauses.length).toBe(500)
  })

  it('refuses a link in its place', async () => {
    await addHistoryLine(path, '{}', door)
    const other = join(directory, 'other')
    writeFileSync(other, 'mine\n')
    rmSync(path)
    symlinkSync(other, path)
    await expect(addHistoryLine(path, '{}', door)).rejects.toThrow(/ELOOP/)
    expect(readFileSync(other, 'utf8')).toBe('mine\n')
  })
})

describe.skipIf(withSmallDisk.isSkipped)(`on a disk that is full${withSmallDisk.why}`, () => {
  it('keeps no half of a line', async () => {
    using disk = smallDisk({ directory, path: (name) => join(directory, name) }, 64)
    path = join(disk.path, 'jobs_history.jsonl')
    await addHistoryLine(path, '{"a":1}', door)
    await expect(addHistoryLine(path, 'x'.repeat(100_000), door)).rejects.toThrow(/ENOSPC/)
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n')
    await addHistoryLine(path, '{"b":2}', door)
    expect(lines()).toEqual(['{"a":1}', '{"b":2}'])
  })
})
