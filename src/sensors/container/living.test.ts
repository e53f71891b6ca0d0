import { describe, expect, it } from 'vitest'
import { parseLiving, parseUnstarted } from './living.ts'

const label = 'jobmeter.task.abc=measured'
const ids = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(64))
const [running = '', made = ''] = ids
const own = { 'jobmeter.task.abc': 'measured' }

describe('the list of containers with a label', () => {
  it('is told apart by whether they were started', () => {
    const list = [
      { Id: running, State: 'running', Labels: own, ImageID: 'sha256:1' },
      { Id: made, State: 'created', Labels: { ...own, other: 'x' } },
    ]
    expect(parseLiving(list, label)).toEqual([{ id: running, imageId: 'sha256:1' }])
    expect(parseUnstarted(list, label)).toEqual([{ id: made, imageId: null }])
  })

  it('has no others, whatever the daemon made of the filter', () => {
    for (const Labels of [
      undefined,
      null,
      {},
      'jobmeter.task.abc=measured',
      { 'jobmeter.task.abc': 'other' },
      { 'jobmeter.task.abcd': 'measured' },
    ]) {
      const list = ['running', 'created'].map((State, at) => ({ Id: ids[at], State, Labels }))
      expect(parseLiving(list, label)).toEqual([])
      expect(parseUnstarted(list, label)).toEqual([])
    }
  })

  it('is not made of anything else', () => {
    expect(parseLiving({ message: 'no' }, label)).toBeUndefined()
  })
})
