import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture, textOf } from '../../../test/fixtures/procfs/fixture.ts'
import { parseChildren } from './children.ts'

describe('parseChildren', () => {
  it('reads the children of a shell', () => {
    const content = procfsFixture('children-6.18-shell')
    const pids: number[] = []
    expect(parseChildren(content, content.length, pids)).toBe(true)
    expect(pids).toHaveLength(3)
    expect(pids).toEqual(textOf(content).trim().split(' ').map(Number))
  })

  it('takes an empty file for no children', () => {
    const pids: number[] = []
    expect(parseChildren(bytes(''), 0, pids)).toBe(true)
    expect(pids).toEqual([])
  })
})
