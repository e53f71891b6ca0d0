import { describe, expect, it } from 'vitest'
import { procfsFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { fakeSystem } from '../../system/fake.ts'
import { readCommand } from './cmdline.ts'

const commandOf = (files: Record<string, Uint8Array | string>): string | undefined =>
  readCommand(fakeSystem({ files }).files, 7)

describe('readCommand', () => {
  it('joins the arguments', () => {
    expect(commandOf({ '/proc/7/cmdline': procfsFixture('cmdline-6.18-sleep') })).toBe('sleep 100')
    expect(commandOf({ '/proc/7/cmdline': 'python3\0train.py\0' })).toBe('python3 train.py')
  })

  it('names a process without arguments as ps does', () => {
    const files = { '/proc/7/cmdline': '', '/proc/7/stat': procfsFixture('stat-6.18-kworker') }
    expect(commandOf(files)).toBe('[kworker/u8:5-ext4-rsv-conversion]')
  })

  it('takes the whole of an odd name', () => {
    expect(commandOf({ '/proc/7/stat': procfsFixture('stat-6.18-odd-name') })).toBe(
      '[(a) b (c)\n) S 1]',
    )
  })

  it('has no answer for a process that is gone', () => {
    expect(commandOf({})).toBeUndefined()
  })
})
