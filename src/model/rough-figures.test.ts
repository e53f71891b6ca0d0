import { expect, it } from 'vitest'
import { boundedWords, roughCores, roughSeconds, roughShare } from './rough-figures.ts'

it('has no more digits than a sentence needs, and tells nothing that is there as 0', () => {
  expect([0, 0.04, 0.05, 3.94].map(roughCores)).toEqual(['0.0', 'under 0.1', '0.1', '3.9'])
  expect([0, 0.0004, 0.312, 9.96, 340.4].map(roughSeconds)).toEqual([
    '0 s',
    'less than 0.001 s',
    '0.31 s',
    '10 s',
    '340 s',
  ])
  expect([0, 0.004, 0.854, 1].map(roughShare)).toEqual(['0 %', 'less than 1 %', '85 %', '100 %'])
})

it('are told as a lower bound where they are one', () => {
  const told = [0.04, 3.9].map((cores) => boundedWords(`${roughCores(cores)} of 4 cores`, true))
  expect(told).toEqual(['under 0.1 of 4 cores, as far as it was seen', 'at least 3.9 of 4 cores'])
  expect(boundedWords('85 %', false)).toBe('85 %')
  expect(boundedWords('0.01 s', true)).toBe('at least 0.01 s')
  // What is at least 0 may be anything.
  const nothing = [roughSeconds(0), `${roughCores(0)} of 4 cores`]
  expect(nothing.map((words) => boundedWords(words, true))).toEqual([
    '0 s, as far as it was seen',
    '0.0 of 4 cores, as far as it was seen',
  ])
})
