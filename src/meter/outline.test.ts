import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleWidth } from '../../test/synthetic/sample-width.ts'
import { sampleIndex, type SampleRow } from '../model/sample.ts'
import { Outline } from './outline.ts'

/** A row of a job that uses one core and holds so much memory; NaN for "no process was there". */
function row(elapsedSeconds: number, memoryBytes: number): SampleRow {
  const made = new Float64Array(sampleWidth)
  made[sampleIndex.elapsed_seconds] = elapsedSeconds
  made[sampleIndex.cpu_user_seconds] = elapsedSeconds
  made[sampleIndex.memory_bytes] = memoryBytes
  return made
}

const memoryOf = (of: SampleRow): number => of[sampleIndex.memory_bytes] ?? NaN
const elapsedOf = (of: SampleRow): number => of[sampleIndex.elapsed_seconds] ?? NaN

describe('an outline', () => {
  it('keeps a short job as it was, apart from the rows it was given', () => {
    const outline = new Outline(sampleWidth)
    const given = row(1, 5)
    outline.add(given)
    given.fill(0)
    outline.add(row(2, 3))
    expect(outline.rows.map(memoryOf)).toEqual([5, 3])
  })

  it('stays small and keeps the peak of memory, the end, the order and the rates of any job', () => {
    const memory = fc.oneof(fc.nat({ max: 1_000_000 }), fc.constant(NaN))
    fc.assert(
      fc.property(
        fc.array(memory, { maxLength: 40 }),
        fc.nat({ max: 5000 }),
        fc.nat(),
        (cycle, length, at) => {
          const outline = new Outline(sampleWidth)
          const values = Array.from({ length }, (_, index) =>
            index === at % (length + 1) ? 2_000_000 : (cycle[index % cycle.length] ?? 1),
          )
          for (const [index, value] of values.entries()) outline.add(row(index, value))
          const { rows } = outline
          expect(rows.length).toBeLessThanOrEqual(512)
          expect(rows.length).toBeGreaterThanOrEqual(Math.min(length, 256))
          const peak = (of: readonly number[]) => Math.max(0, ...of.filter((v) => !Number.isNaN(v)))
          expect(peak(rows.map(memoryOf))).toBe(peak(values))
          expect(elapsedOf(rows.at(-1) ?? row(-1, 0))).toBe(length - 1)
          for (const kept of rows) expect(kept[sampleIndex.cpu_user_seconds]).toBe(elapsedOf(kept))
          const times = rows.map(elapsedOf)
          expect(times).toEqual(times.toSorted((a, b) => a - b))
        },
      ),
      { numRuns: 60 },
    )
  })
})
