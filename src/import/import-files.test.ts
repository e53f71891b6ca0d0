import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importFiles, type RecordReader } from './import-files.ts'
import { ImportTally } from './tally.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Reads everything, and keeps nothing of it. */
const forgetful: RecordReader = {
  begin: () => ({ push: () => [], end: () => [] }),
  take: () => [],
  end: () => [],
  isFull: false,
  commit: () => undefined,
}

function collectGarbage(): void {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  // V8 frees array buffers in another thread after a collection; the next one waits for that.
  collect()
}

describe('reading files', () => {
  it('holds no more after 200 MB than after 50 MB', async () => {
    const path = join(folder, 'large')
    writeFileSync(path, '')
    truncateSync(path, 200e6)
    const held: number[] = []
    let [readBytes, nextAt] = [0, 50e6]
    const read = (bytes: number): void => {
      readBytes += bytes
      if (readBytes < nextAt) return
      nextAt += 150e6
      collectGarbage()
      held.push(process.memoryUsage().arrayBuffers)
    }
    const watcher = { read, signal: new AbortController().signal }
    const files = [{ path, sizeBytes: 200e6 }]
    expect(await importFiles(files, forgetful, new ImportTally(), watcher)).toBe(true)
    expect(readBytes).toBe(200e6)
    expect(held).toHaveLength(2)
    const [early = 0, late = 0] = held
    expect(late - early).toBeLessThan(10e6)
  })

  it.each(['a pipe', 'a compressed pipe'])('ends at once beside %s that does not', async (kind) => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    const held = openSync(path, 'r+')
    const text = 'some lines\n'.repeat(10)
    writeFileSync(held, kind === 'a pipe' ? text : gzipSync(text))
    const stop = new AbortController()
    const watcher = { read: () => stop.abort(), signal: stop.signal }
    const tally = new ImportTally()
    expect(await importFiles([{ path, sizeBytes: 0 }], forgetful, tally, watcher)).toBe(false)
    expect(tally.problems).toEqual([])
    closeSync(held)
  })
})
