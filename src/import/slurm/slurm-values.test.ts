import { describe, expect, it } from 'vitest'
import { bytesField, countField, gpusField, nodesField, secondsField } from './slurm-values.ts'

describe('what Slurm prints', () => {
  it('names nodes one by one', () => {
    expect(nodesField('NodeList', 'n[01-03,7],login1')).toEqual([
      'n01',
      'n02',
      'n03',
      'n7',
      'login1',
    ])
    expect(nodesField('NodeList', 'r[1-2]c[1-2]')).toEqual(['r1c1', 'r1c2', 'r2c1', 'r2c2'])
    expect(nodesField('NodeList', 'None assigned')).toEqual([])
    expect(() => nodesField('NodeList', 'n[1-999999999]')).toThrow('fewer nodes')
  })

  it.each([
    ['a duration', () => secondsField('Elapsed', 'soon')],
    ['a size', () => bytesField('ReqMem', 'lots', 'M')],
    ['a whole number', () => countField('NCPUS', '-1')],
    ['a whole number', () => gpusField(new Map([['gres/gpu:a100', 'many']]))],
  ])('is refused with its name where it is not %s', (wanted, read) => {
    expect(read).toThrow(new RegExp(`: [\\w/]+: expected ${wanted}`))
  })
})
