import { expect, it } from 'vitest'
import { sampleIndex } from '../../model/sample.ts'
import { SeenSoFar } from './seen-so-far.ts'

const width = Object.keys(sampleIndex).length

function sampleAt(elapsedSeconds: number, memoryBytes: number): Float64Array {
  const row = new Float64Array(width)
  row[sampleIndex.elapsed_seconds] = elapsedSeconds
  row[sampleIndex.memory_bytes] = memoryBytes
  return row
}

it('writes nothing for jobs that are over at once, and forgets nothing of those that are not', () => {
  const noted: string[] = []
  const seen = new SeenSoFar({ note: (_, text) => void noted.push(text), forget: () => {} })
  seen.note('short', sampleAt(0.02, 10), 1, width)
  seen.note('long', sampleAt(0.3, 30), 1, width)
  expect(noted).toEqual([])
  seen.note('long', sampleAt(0.8, 20), 1, width)
  expect(noted.map((text): unknown => JSON.parse(text))).toMatchObject([
    { seenOf: 'long', elapsedSeconds: 0.8, memoryPeakBytes: 30, samples: 2 },
  ])
})
