import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { readThreadIds } from './task.ts'

describe('readThreadIds', () => {
  it('lists the threads of a process', () => {
    const { files } = fakeSystem({
      files: { '/proc/7/task/7/stat': '', '/proc/7/task/12/stat': '', '/proc/8/task/8/stat': '' },
    })
    expect(readThreadIds(files, 7)).toEqual({ kind: 'ok', value: [7, 12] })
    expect(readThreadIds(files, 9).kind).toBe('unavailable')
  })

  it('does not take names that are no thread ids', () => {
    const { files } = fakeSystem({ files: { '/proc/7/task/x/stat': '' } })
    expect(readThreadIds(files, 7).kind).toBe('failed')
  })
})
