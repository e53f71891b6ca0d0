import { describe, expect, it } from 'vitest'
import { countItems, countMarks, mostItems, mostMarks } from './text-size.ts'

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
    expect(countItems(job) * 100_000).toBeLessThan(mostItems)
  })

  it('stops where there are too many', () => {
    expect(countMarks('['.repeat(2 * mostMarks))).toBe(mostMarks + 1)
  })
})

describe('countItems', () => {
  it('counts what parts items and keys', () => {
    expect(countItems('')).toBe(0)
    expect(countItems('a b c "d"')).toBe(0)
    expect(countItems('name: w\njobs: [1, 2, {a: é}]\n')).toBe(9)
  })

  it('stops where there are too many', () => {
    expect(countItems(','.repeat(2 * mostItems))).toBe(mostItems + 1)
  })
})
