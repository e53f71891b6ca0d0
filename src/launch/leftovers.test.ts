import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../system/fake.ts'
import { killLeftovers } from './leftovers.ts'

const files = {
  '/proc/7/environ': 'PATH=/bin\0JOBMETER_TASK_ID=00ab\0HOME=/root\0',
  '/proc/8/environ': 'JOBMETER_TASK_ID=00ab',
  '/proc/9/environ': 'JOBMETER_TASK_ID=00abc\0',
  '/proc/10/environ': 'OTHER_JOBMETER_TASK_ID=00ab\0',
  '/proc/11/environ': 'PATH=/bin\0',
  '/proc/12/stat': 'whose environment is not ours to read',
  '/proc/self/environ': 'JOBMETER_TASK_ID=00ab\0',
}

describe('what a killed runner left', () => {
  it('is killed by the mark of its task, and nothing else is', () => {
    const system = fakeSystem({ files })
    expect(killLeftovers(system, new Set(['00ab', '00ff']))).toEqual([7, 8])
    expect(system.signals).toEqual([
      { pid: 7, signal: 'SIGKILL' },
      { pid: 8, signal: 'SIGKILL' },
    ])
  })

  it('is not looked for where nothing was interrupted', () => {
    const system = fakeSystem({ files })
    expect(killLeftovers(system, new Set())).toEqual([])
    expect(system.signals).toEqual([])
  })
})
