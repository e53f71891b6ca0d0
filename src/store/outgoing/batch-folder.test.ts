import fc from 'fast-check'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TryLock } from '../../model/file-lock.ts'
import { BatchFolder } from './batch-folder.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-outgoing-'))
  path = join(folder, 'remote', 'target')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const free: TryLock = () => 'got'
const open = async (mostBytes = 1e6): Promise<BatchFolder> => {
  const opened = await BatchFolder.open(path, { mostBytes, tryLock: free })
  if (opened === undefined) throw new Error('held by another')
  return opened
}

/** All that is sent, as one who sends does it. */
async function drained(batches: BatchFolder): Promise<string[]> {
  const sent: string[] = []
  for (;;) {
    const first = await batches.first()
    if (first === undefined) return sent
    sent.push(first.content ?? 'broken')
    await batches.remove(first.batch)
  }
}

describe('batches that wait to be sent', () => {
  it('are for their owner alone, in order, and there after another start', async () => {
    const first = await open()
    for (const [at, content] of ['a', 'b', 'ü"\n'].entries()) await first.add(1000 + at, 5, content)
    expect([first.batches, first.oldestMilliseconds]).toEqual([3, 1000])
    expect(statSync(path).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o077).toBe(0)
    first.close()
    const again = await open()
    await again.add(2000, 1, 'c')
    expect(await drained(again)).toEqual(['a', 'b', 'ü"\n', 'c'])
    expect([again.batches, again.bytes, again.oldestMilliseconds]).toEqual([0, 0, undefined])
    again.close()
  })

  it('are sent by one process alone', async () => {
    const held: TryLock = () => 'held by another'
    expect(await BatchFolder.open(path, { mostBytes: 1e6, tryLock: held })).toBeUndefined()
  })

  it('are not kept where others could change them', async () => {
    ;(await open()).close()
    const { chmodSync } = await import('node:fs')
    chmodSync(path, 0o777)
    await expect(open()).rejects.toThrow('is not private to you')
  })

  it('never take more room than they may, whatever is added and sent: the oldest go first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1000, max: 3000 }),
        fc.array(fc.option(fc.integer({ min: 0, max: 600 }), { freq: 4 }), { maxLength: 30 }),
        async (mostBytes, steps) => {
          rmSync(path, { recursive: true, force: true })
          const batches = await open(mostBytes)
          let model: string[] = []
          for (const [at, step] of steps.entries()) {
            if (step === null) {
              const first = await batches.first()
              if (first === undefined) continue
              await batches.remove(first.batch)
              if (first.content !== model.shift()) throw new Error('not the oldest')
              continue
            }
            // What cannot be compressed.
            const content = `${at} ${fc.sample(fc.string({ minLength: step, maxLength: step }), 1)[0]}`
            const { batches: dropped, samples } = await batches.add(at, 7, content)
            expect(samples).toBe(7 * dropped)
            model = [...model, content].slice(dropped)
            expect(batches.bytes).toBeLessThanOrEqual(mostBytes)
            expect(batches.batches).toBe(model.length)
          }
          const files = readdirSync(path).filter((name) => name.endsWith('.batch'))
          const onDisk = files.reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
          expect(onDisk).toBe(batches.bytes)
          expect(await drained(batches)).toEqual(model)
          batches.close()
        },
      ),
      { numRuns: 60 },
    )
  })

  it('drop one that is larger than all of them may be, and no other', async () => {
    const batches = await open(200)
    await batches.add(1, 1, 'small')
    const large = fc.sample(fc.string({ minLength: 900, maxLength: 900 }), 1)[0] ?? ''
    expect(await batches.add(2, 9, large)).toEqual({ batches: 1, samples: 9 })
    expect(await drained(batches)).toEqual(['small'])
    batches.close()
  })

  it('keep the one that is being sent, though it is the oldest', async () => {
    const batches = await open(200)
    await batches.add(1, 1, 'a'.repeat(10))
    const first = await batches.first()
    for (let at = 2; at < 20; at += 1)
      await batches.add(at, 1, fc.sample(fc.string({ minLength: 40, maxLength: 40 }), 1)[0] ?? '')
    expect(existsSync(join(path, '000000000001-1-1.batch'))).toBe(true)
    if (first !== undefined) await batches.remove(first.batch)
    expect(existsSync(join(path, '000000000001-1-1.batch'))).toBe(false)
    batches.close()
  })

  it('are broken, and never half, where their file was cut anywhere or changed in any byte', async () => {
    const made = await open()
    await made.add(1, 3, 'some content that is worth nothing by half')
    await made.add(2, 3, 'the next')
    made.close()
    const file = join(path, '000000000001-1-3.batch')
    const whole = readFileSync(file)
    const readAgain = async () => {
      const batches = await open()
      const first = await batches.first()
      batches.close()
      return first?.content ?? 'broken'
    }
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(file, whole)
      truncateSync(file, length)
      expect(await readAgain(), `${length} bytes`).toBe('broken')
    }
    for (let place = 0; place < whole.length; place += 1) {
      const changed = Buffer.from(whole)
      changed[place] = (changed[place] ?? 0) ^ 0x55
      writeFileSync(file, changed)
      expect(await readAgain(), `byte ${place}`).toBe('broken')
    }
    writeFileSync(file, Buffer.concat([whole, Buffer.from([0])]))
    expect(await readAgain()).toBe('broken')
    const batches = await open()
    expect(await drained(batches)).toEqual(['broken', 'the next'])
    batches.close()
  })

  it('pass over what else lies there, and take away what a killed one left unfinished', async () => {
    ;(await open()).close()
    for (const name of ['unfinished', 'notes.txt', '1-2-3.batch', '-.batch'])
      writeFileSync(join(path, name), 'x')
    const batches = await open()
    expect(await drained(batches)).toEqual([])
    expect(existsSync(join(path, 'unfinished'))).toBe(false)
    await batches.add(1, 1, 'a')
    expect(await drained(batches)).toEqual(['a'])
    batches.close()
  })
})
