import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Files } from '../../src/system/system.ts'

/** An empty directory to work in. */
export interface FilesUnderTest {
  readonly files: Files
  /** The path of a name in the directory. */
  path(name: string): string
  /** Writes a file as somebody else would: it need not exist. */
  put(path: string, content: Uint8Array): void
  /** Takes a file away for good. */
  take(path: string): void
  dispose(): void
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content)

/** What holds for the files of the real machine and of a made-up one. */
export function filesContract(name: string, open: () => FilesUnderTest): void {
  describe(`${name} as files`, () => {
    let opened: FilesUnderTest
    let files: Files
    let path: FilesUnderTest['path']
    beforeEach(() => {
      opened = open()
      ;({ files, path } = opened)
    })
    afterEach(() => opened.dispose())

    const readAll = (descriptor: number, size: number): Uint8Array | undefined => {
      const into = new Uint8Array(size)
      const length = files.read(descriptor, into)
      return length < 0 ? undefined : into.slice(0, length)
    }

    it('read back any bytes, again and again, through one descriptor', () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 10_000 }),
          fc.nat({ max: 12_000 }),
          (bytes, size) => {
            opened.put(path('data'), bytes)
            const descriptor = files.open(path('data'))
            expect(descriptor).toBeGreaterThanOrEqual(0)
            for (const times of [1, 2])
              expect(readAll(descriptor, size), `time ${times}`).toEqual(bytes.slice(0, size))
            files.close(descriptor)
          },
        ),
        { numRuns: 50 },
      )
    })

    it('read every byte as one character', () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
      opened.put(path('data'), bytes)
      const read = files.readText(path('data'))
      const characters = read.kind === 'ok' ? Array.from(read.value, (c) => c.charCodeAt(0)) : []
      expect(characters).toEqual([...bytes])
    })

    it('show through a kept descriptor what the file holds now', () => {
      opened.put(path('data'), text('1'))
      const descriptor = files.open(path('data'))
      opened.put(path('data'), text('22'))
      expect(readAll(descriptor, 10)).toEqual(text('22'))
      files.close(descriptor)
    })

    it('read on where they stopped, as a file that grows wants', () => {
      opened.put(path('log'), text('one two'))
      const descriptor = files.open(path('log'))
      const into = new Uint8Array(4)
      const next = (offset: number) => into.slice(0, files.readFrom(descriptor, offset, into))
      expect(next(0)).toEqual(text('one '))
      expect(next(4)).toEqual(text('two'))
      expect(files.readFrom(descriptor, 7, into)).toBe(0)
      opened.put(path('log'), text('one two three'))
      expect(next(7)).toEqual(text(' thr'))
      files.close(descriptor)
      expect(files.readFrom(descriptor, 0, into)).toBe(-1)
    })

    it('say of what is not there that it is unavailable', () => {
      const missing = { kind: 'unavailable', why: expect.stringContaining(path('none')) }
      expect(files.readText(path('none'))).toEqual(missing)
      expect(files.list(path('none'))).toEqual(missing)
      expect(files.write(path('none'), '1')).toEqual(missing)
      expect(files.open(path('none'))).toBe(-1)
      expect(files.isWritable(path('none'))).toBe(false)
      // A write must never make a file: a kernel's file is there or the feature is not.
      expect(files.readText(path('none')).kind).toBe('unavailable')
    })

    it('answer -1 for a descriptor that is closed or was never open', () => {
      opened.put(path('data'), text('1'))
      const descriptor = files.open(path('data'))
      files.close(descriptor)
      expect(files.read(descriptor, new Uint8Array(4))).toBe(-1)
      expect(files.read(-1, new Uint8Array(4))).toBe(-1)
    })

    it('list the names in a directory, each once and without what is below', () => {
      opened.put(path('b'), text('1'))
      opened.put(path('a'), text('1'))
      expect(files.makeDirectory(path('c')).kind).toBe('ok')
      opened.put(path('c/one'), text('1'))
      opened.put(path('c/two'), text('1'))
      const listed = files.list(path('.').slice(0, -2))
      expect(listed.kind === 'ok' ? listed.value.toSorted() : listed).toEqual(['a', 'b', 'c'])
      opened.take(path('b'))
      const after = files.list(path('.').slice(0, -2))
      expect(after.kind === 'ok' ? after.value.toSorted() : after).toEqual(['a', 'c'])
    })

    it('make a directory once, and remove it only when it is empty', () => {
      expect(files.makeDirectory(path('job'))).toEqual({ kind: 'ok', value: true })
      expect(files.list(path('job'))).toEqual({ kind: 'ok', value: [] })
      expect(files.makeDirectory(path('job')).kind).toBe('failed')
      expect(files.makeDirectory(path('no/where')).kind).toBe('unavailable')
      opened.put(path('job/procs'), text('7'))
      expect(files.removeDirectory(path('job')).kind).toBe('failed')
      opened.take(path('job/procs'))
      expect(files.removeDirectory(path('job'))).toEqual({ kind: 'ok', value: true })
      expect(files.removeDirectory(path('job')).kind).toBe('unavailable')
      expect(files.list(path('job')).kind).toBe('unavailable')
    })

    it('remove a file', () => {
      opened.put(path('marks'), text('step=1'))
      expect(files.removeFile(path('marks'))).toEqual({ kind: 'ok', value: true })
      expect(files.isMissing(path('marks'))).toBe(true)
      expect(files.removeFile(path('marks')).kind).toBe('unavailable')
    })

    it('write to a file that is there', () => {
      opened.put(path('limit'), text('max'))
      expect(files.isWritable(path('limit'))).toBe(true)
      expect(files.write(path('limit'), '12345')).toEqual({ kind: 'ok', value: true })
    })

    it('write several times to a file that is there, and make none', () => {
      opened.put(path('members'), text(''))
      files.writeEach(path('members'), ['17', '18'])
      files.writeEach(path('none'), ['17'])
      expect(files.isWritable(path('none'))).toBe(false)
    })
  })
}
