import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { readSpool } from './read-spool.ts'
import type { SpoolPlace } from './spool-directory.ts'
import { SpoolFile } from './spool-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-spool-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a place for the spool', () => {
  const place = (name: string) => ({
    directory: join(folder, name, 's'),
    guard: join(folder, name),
  })
  const openIn = (...places: SpoolPlace[]) =>
    new SpoolFile(join(folder, 'ledger.db'), someStart('a'), { places })

  it.each<[string, (path: string) => void]>([
    ['that others may look into', (path) => mkdirSync(path, 0o755)],
    ['that is a link', (path) => symlinkSync(folder, path)],
    ['that is a file', (path) => writeFileSync(path, '')],
    [
      'of another user',
      (path) => {
        mkdirSync(path, 0o700)
        if (process.getuid?.() === 0) chownSync(path, 1234, 1234)
        else chmodSync(path, 0o777)
      },
    ],
  ])('%s is not used', (_, make) => {
    make(join(folder, 'taken'))
    expect(openIn(place('taken'), place('free')).path).toBe(join(folder, 'free/s/a.jsonl'))
    const none = openIn(place('taken'))
    expect(none.path).toBeUndefined()
    expect(() => none.finish(someEnd())).toThrow('is not a directory that only you can use')
  })

  function mountSmall(): boolean {
    const disk = join(folder, 'small')
    mkdirSync(disk, 0o700)
    const options = ['-t', 'tmpfs', '-o', 'size=64k,mode=700']
    const { status: failed } = spawnSync('mount', [...options, 'tmpfs', disk])
    if (failed !== 0 && process.env['CI'] === 'true') throw new Error('no small disk')
    return failed === 0
  }

  it('is left for the next where a line does not fit, with all that was written', ({ skip }) => {
    if (!mountSmall()) return skip('only root may mount a small disk')
    try {
      const file = openIn(place('small'), place('free'))
      file.add(someSamples(2), 2)
      expect(file.path).toBe(join(folder, 'small/s/a.jsonl'))
      file.add(someSamples(300), 300)
      expect(file.path).toBe(join(folder, 'free/s/a.jsonl'))
      expect(file.trouble?.code).toBe('full')
      file.finish(someEnd())
      expect(readdirSync(join(folder, 'small/s'))).toEqual([])
      const found = readSpool(file.path ?? '')
      expect(found).toMatchObject({ attempt: { count: 302, end: someEnd() }, damage: null })
    } finally {
      spawnSync('umount', ['-l', join(folder, 'small')])
    }
  })

  it('gets back what was taken from it, or the next one does', () => {
    const file = openIn(place('one'), place('two'))
    file.add(someSamples(2), 2)
    rmSync(join(folder, 'one/s/a.jsonl'))
    file.beat(1_700_000_000)
    expect(file.path).toBe(join(folder, 'one/s/a.jsonl'))
    expect(statSync(file.path ?? '').mtimeMs).toBe(1_700_000_000_000)
    rmSync(join(folder, 'one'), { recursive: true })
    writeFileSync(join(folder, 'one'), 'in the way')
    file.finish(someEnd())
    expect(file.path).toBe(join(folder, 'two/s/a.jsonl'))
    expect(readSpool(file.path ?? '')).toMatchObject({ attempt: { count: 2, end: someEnd() } })
  })

  it('that is full keeps whole lines, and takes the end once there is room', ({ skip }) => {
    if (!mountSmall()) return skip('only root may mount a small disk')
    try {
      const file = openIn(place('small'))
      expect(() => file.add(someSamples(300), 300)).toThrow('no space left')
      file.add(someSamples(2), 2)
      file.finish(someEnd())
      expect(readSpool(file.path ?? '')).toMatchObject({
        attempt: { count: 2, end: someEnd() },
        damage: null,
      })
    } finally {
      spawnSync('umount', ['-l', join(folder, 'small')])
    }
  })
})
