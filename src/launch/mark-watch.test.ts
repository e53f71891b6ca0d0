import { expect, it } from 'vitest'
import { fakeSystem } from '../system/fake.ts'
import { MarkWatch } from './mark-watch.ts'

it('looks seldom for marks that a job never writes, and not at all in the first 50 ms', () => {
  const system = fakeSystem()
  let looks = 0
  const isMissing = (): boolean => {
    looks += 1
    return true
  }
  const watch = new MarkWatch({ clock: system.clock, files: { ...system.files, isMissing } }, '/m')
  const seen = [0.049, 0.951, 9, 50, 60].map((seconds) => {
    system.advance(seconds)
    return looks
  })
  // After 49 ms, one second, ten seconds, one minute and two minutes: docs/marks.md tells these figures.
  expect(seen).toEqual([0, 11, 21, 46, 76])
  watch.end()
  system.advance(60)
  expect(looks).toBe(76)
})
