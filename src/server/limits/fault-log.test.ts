import { expect, it } from 'vitest'
import { fakeClock } from '../../system/fake-clock.ts'
import { faultLog } from './fault-log.ts'

it('tells of faults, but not of thousands, nor without end of one', () => {
  const { clock, advance } = fakeClock(1000)
  const said: string[] = []
  const tell = faultLog((words) => said.push(words), clock)
  for (let time = 0; time < 1000; time++) tell(new Error('x'.repeat(100_000)))
  expect(said).toHaveLength(20)
  expect(Math.max(...said.map(({ length }) => length))).toBeLessThanOrEqual(4000)
  advance(5)
  tell('later')
  expect(said.slice(20)).toEqual(['later\n980 faults before this one were left out'])
})
