import fc from 'fast-check'
import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { realSystem } from '../../system/real.ts'
import { followLog, type LogStart } from './follow-log.ts'

const system = realSystem({ ownsProcess: false })

function folder() {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-log-'))
  const path = join(directory, 'log')
  return { path, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) }
}

/** Follows a log; each step is done when all that was there has been given out. */
async function followed(path: string, start: LogStart, steps: readonly (() => void)[]) {
  const pieces: { offset: number; text: string; isAnew: boolean }[] = []
  let next = 0
  const goesOn = (): boolean => {
    steps[next]?.()
    next += 1
    return next <= steps.length
  }
  for await (const { offset, bytes, isAnew } of followLog(system, path, start, goesOn))
    pieces.push({ offset, text: Buffer.from(bytes).toString('latin1'), isAnew })
  return pieces
}

const textOf = (pieces: readonly { text: string }[]): string =>
  pieces.map(({ text }) => text).join('')

describe('following a log', () => {
  it('begins with the last lines, whatever they are', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', '\r', 'é'), maxLength: 6 })
    const content = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
      .map(([lines, isWhole]) => lines.join('\n') + (isWhole && lines.length > 0 ? '\n' : ''))
    await fc.assert(
      fc.asyncProperty(content, fc.nat(12), async (text, count) => {
        using place = folder()
        writeFileSync(place.path, text)
        const latin = Buffer.from(text).toString('latin1')
        const lines = latin.split(/(?<=\n)/).filter((one) => one !== '')
        const expected = count === 0 ? '' : lines.slice(-count).join('')
        expect(textOf(await followed(place.path, { lastLines: count }, []))).toBe(expected)
      }),
      { numRuns: 200 },
    )
  })

  it('finds the last lines also where they are far apart', async () => {
    using place = folder()
    writeFileSync(place.path, `first\n${'x'.repeat(100_000)}\n${'y'.repeat(150_000)}\n`)
    const pieces = await followed(place.path, { lastLines: 2 }, [])
    expect(textOf(pieces)).toBe(`${'x'.repeat(100_000)}\n${'y'.repeat(150_000)}\n`)
    expect(pieces[0]?.offset).toBe(6)
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThanOrEqual(65_536)
  })

  it('goes on with what is added, from any byte, to the very end', async () => {
    using place = folder()
    writeFileSync(place.path, 'one\n')
    const pieces = await followed(place.path, { offset: 1 }, [
      () => {},
      () => appendFileSync(place.path, 'two\n'),
      () => appendFileSync(place.path, 'three'),
    ])
    expect(pieces).toEqual([
      { offset: 1, text: 'ne\n', isAnew: false },
      { offset: 4, text: 'two\n', isAnew: false },
      { offset: 8, text: 'three', isAnew: false },
    ])
  })

  it('waits for a file that is not there yet', async () => {
    using place = folder()
    const pieces = await followed(place.path, { lastLines: 10 }, [
      () => {},
      () => writeFileSync(place.path, 'late'),
    ])
    expect(pieces).toEqual([{ offset: 0, text: 'late', isAnew: false }])
  })

  it('begins anew where the file was cut off', async () => {
    using place = folder()
    writeFileSync(place.path, 'a long beginning\n')
    const pieces = await followed(place.path, { offset: 0 }, [
      () => {},
      () => {
        truncateSync(place.path)
        appendFileSync(place.path, 'new\n')
      },
    ])
    expect(pieces.at(-1)).toEqual({ offset: 0, text: 'new\n', isAnew: true })
  })

  it('takes the rest of a file that was put aside, and goes on in the next', async () => {
    using place = folder()
    writeFileSync(place.path, 'one\n')
    const pieces = await followed(place.path, { offset: 0 }, [
      () => {},
      () => {
        appendFileSync(place.path, 'rest\n')
        renameSync(place.path, `${place.path}.1`)
        writeFileSync(place.path, 'two\n')
      },
    ])
    expect(pieces).toEqual([
      { offset: 0, text: 'one\n', isAnew: false },
      { offset: 4, text: 'rest\n', isAnew: false },
      { offset: 0, text: 'two\n', isAnew: true },
    ])
  })

  it('ends when nobody wants it any more', async () => {
    using place = folder()
    writeFileSync(place.path, 'one\n')
    const stop = new AbortController()
    const pieces: number[] = []
    for await (const { offset } of followLog(
      system,
      place.path,
      { offset: 0 },
      () => true,
      stop.signal,
    )) {
      pieces.push(offset)
      setTimeout(() => stop.abort(), 1)
    }
    expect(pieces).toEqual([0])
  })
})
