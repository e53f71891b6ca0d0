import { expect, it } from 'vitest'
import { isJobNumber } from './job-number.ts'

it.each(['1', '42', '67108863', '67108864', '2147483647'])('%s is a number of a job', (id) => {
  expect(isJobNumber(id)).toBe(true)
})

it.each(['0', '007', '2147483648', '4000000000', '5000000000', '999999999999', '-1', '1,2', ''])(
  '%j is not',
  (id) => {
    expect(isJobNumber(id)).toBe(false)
  },
)
