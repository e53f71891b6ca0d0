import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../system/fake.ts'
import { printLog } from './log-file.ts'

describe('printLog', () => {
  const printed: number[] = []
  const print = (bytes: Uint8Array) => printed.push(...bytes)

  it('prints every byte of a file larger than its buffer', async () => {
    printed.length = 0
    const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index % 256)
    const system = fakeSystem({ files: { '/log': bytes } })
    expect(await printLog(system, '/log', print, () => false)).toBe(200_000)
    expect(Uint8Array.from(printed)).toEqual(bytes)
  })

  it('goes on with what is added, to the very end', async () => {
    printed.length = 0
    const system = fakeSystem({ files: { '/log': 'one\n' } })
    let looks = 0
    const goesOn = () => {
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
    const done = printLog(system, '/log', print, goesOn)
    for (let turn = 0; turn < 5; turn++) {
      system.advance(0.1)
      await Promise.resolve()
      await Promise.resolve()
    }
    expect(await done).toBe(14)
    expect(Buffer.from(printed).toString()).toBe('one\ntwo\nthree\n')
  })

  it('waits for a file that is yet to come, and says if none came', async () => {
    printed.length = 0
    const system = fakeSystem()
    let looks = 0
    const goesOn = () => {
      looks += 1
      // Its first words come with the last look, as those of a short job do.
      if (looks === 3) system.tree.set('/late', 'at last\n')
      return looks < 3
    }
    const done = printLog(system, '/late', print, goesOn)
    for (let turn = 0; turn < 5; turn++) {
      system.advance(0.1)
      await Promise.resolve()
      await Promise.resolve()
    }
    expect(await done).toBe(8)
    expect(Buffer.from(printed).toString()).toBe('at last\n')
    expect(await printLog(system, '/none', print, () => false)).toBeUndefined()
  })
})
