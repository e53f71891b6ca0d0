import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { printEndedLogs, printLogs } from './log-file.ts'

const out = { heading: 'standard output', path: '/log' }
const err = { heading: 'standard error', path: '/err' }

/** All that waits for nothing but promises has been done then. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('printLogs', () => {
  const printed: number[] = []
  const print = (bytes: Uint8Array) => printed.push(...bytes)

  it('prints every byte of a file larger than its buffer', async () => {
    printed.length = 0
    const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index % 256)
    const system = fakeSystem({ files: { '/log': bytes } })
    expect(await printLogs(system, [out], print, async () => false)).toBe(true)
    expect(Uint8Array.from(printed)).toEqual(bytes)
  })

  it('goes on with what is added, to the very end', async () => {
    printed.length = 0
    const system = fakeSystem({ files: { '/log': 'one\n' } })
    let looks = 0
    const goesOn = async () => {
      looks += 1
      if (looks === 2) system.tree.set('/growing', 'one\ntwo\n')
      // The job's last words come after the look that found it ended.
      if (looks === 3) system.tree.set('/growing', 'one\ntwo\nthree\n')
      return looks < 3
    }
    system.tree.set('/growing', 'one\n')
    // A function is asked at each read, as a file is.
    system.tree.set('/log', () => {
      const now = system.tree.get('/growing')
      return typeof now === 'string' ? now : undefined
    })
    const done = printLogs(system, [out], print, goesOn)
    for (let turn = 0; turn < 5; turn++) {
      system.advance(0.1)
      await nextTurn()
    }
    expect(await done).toBe(true)
    expect(Buffer.from(printed).toString()).toBe('one\ntwo\nthree\n')
  })

  it('says if nothing was written, whether or not the files are there', async () => {
    expect(await printLogs(fakeSystem(), [out, err], print, async () => false)).toBe(false)
    const empty = fakeSystem({ files: { '/log': '', '/err': '' } })
    expect(await printLogs(empty, [out, err], print, async () => false)).toBe(false)
  })

  const text = async (files: Record<string, string>) => {
    printed.length = 0
    await printLogs(fakeSystem({ files }), [out, err], print, async () => false)
    return Buffer.from(printed).toString()
  }

  it('tells the streams apart where there are two, and adds nothing to one alone', async () => {
    expect(await text({ '/log': 'a\nb' })).toBe('a\nb')
    expect(await text({ '/log': 'a\nb', '/err': '' })).toBe('a\nb')
    expect(await text({ '/err': 'oops\n' })).toBe('==> standard error <==\noops\n')
    expect(await text({ '/log': 'a\nb', '/err': 'oops\n' })).toBe(
      '==> standard output <==\na\nb\n\n==> standard error <==\noops\n',
    )
  })

  it('waits for files that are not there yet, and marks where the stream changes', async () => {
    printed.length = 0
    const system = fakeSystem()
    let looks = 0
    const goesOn = async () => {
      looks += 1
      if (looks === 2) system.tree.set('/log', 'one\n')
      if (looks === 3) system.tree.set('/err', 'oops\n')
      return looks < 4
    }
    const done = printLogs(system, [out, err], print, goesOn)
    for (let turn = 0; turn < 6; turn++) {
      system.advance(0.1)
      await nextTurn()
    }
    expect(await done).toBe(true)
    expect(Buffer.from(printed).toString()).toBe('one\n\n==> standard error <==\noops\n')
  })
})

describe('printEndedLogs', () => {
  it('puts a heading above each that has something to say', () => {
    const printed: number[] = []
    const system = fakeSystem({ files: { '/log': 'a', '/err': 'b\n' } })
    const streams = [out, { heading: 'none', path: '/none' }, err]
    expect(printEndedLogs(system, streams, (bytes) => printed.push(...bytes))).toBe(true)
    expect(Buffer.from(printed).toString()).toBe(
      '==> standard output <==\na\n\n==> standard error <==\nb\n',
    )
    expect(printEndedLogs(fakeSystem(), streams, () => {})).toBe(false)
  })
})
