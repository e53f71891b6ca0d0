import { describe, expect, it } from 'vitest'
import { countMarks, mostMarks } from './text-size.ts'

describe('countMarks', () => {
  it('counts what could be a value: words and signs, not letters nor indentation', () => {
    expect(countMarks('')).toBe(0)
    expect(countMarks('a'.repeat(1000))).toBe(0)
    expect(countMarks(' '.repeat(1000))).toBe(0)
    expect(countMarks('name: w\njobs: []\n')).toBe(8)
    expect(countMarks('node 1 2 3')).toBe(3)
  })

  it('has room for 100,000 jobs that are written out', () => {
    const job = `  - name: train_00001\n    command: python train.py --fold 1 --lr 0.1 --out /data/model.bin\n    resource_requirements: small\n    depends_on: [prepare]\n`
    expect(countMarks(job) * 100_000).toBeLessThan(mostMarks)
  })

  it('stops where there are too many', () => {
    expect(countMarks('['.repeat(2 * mostMarks))).toBe(mostMarks + 1)
  })
})
