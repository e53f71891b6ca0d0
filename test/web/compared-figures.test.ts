import { expect, it } from 'vitest'
import { atLeast, measured } from '../../src/model/measured.ts'
import type { JobRecord } from '../../src/model/record.ts'
import { recordJson } from '../../src/render/record/record-json.ts'
import { comparedFigures } from '../../web/pages/compare/compared-figures.ts'
import { poisson } from '../golden/render/crafted-records.ts'

const withPeak = (memoryPeakBytes: JobRecord['usage']['memoryPeakBytes']): JobRecord => ({
  ...poisson,
  usage: { ...poisson.usage, memoryPeakBytes },
})

const changes = (a: JobRecord, b: JobRecord): Map<string, number | null> =>
  new Map(
    comparedFigures(recordJson(a), recordJson(b)).map(({ label, changePercent }) => [
      label,
      changePercent,
    ]),
  )

it('tells no change between figures of which one may have been more', () => {
  const whole = withPeak(measured(100, 'looks'))
  const peak = 'Memory, peak, shared pages counted once'
  expect(changes(whole, withPeak(measured(20, 'looks'))).get(peak)).toBe(-80)
  expect(changes(whole, withPeak(atLeast(20, 'looks'))).get(peak)).toBeNull()
  expect(changes(withPeak(atLeast(20, 'looks')), whole).get(peak)).toBeNull()
  const killed: JobRecord = { ...poisson, status: 'interrupted', durationSeconds: 33 }
  expect(changes(poisson, poisson).get('Duration')).toBe(0)
  expect(changes(poisson, killed).get('Duration')).toBeNull()
})
