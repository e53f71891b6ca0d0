import { expect, it } from 'vitest'
import { count, formatCount } from './count.ts'

it('groups the digits of counts', () => {
  expect([0, 7, 999, 1000, 1_234_567].map(formatCount)).toEqual([
    '0',
    '7',
    '999',
    '1,000',
    '1,234,567',
  ])
})

it('writes counts that are beyond all numbers', () => {
  expect([1e21, Infinity].map(formatCount)).toEqual(['1,000,000,000,000,000,000,000', '∞'])
})

it('names what is counted, one or many', () => {
  expect([count(1, 'job'), count(0, 'job'), count(1200, 'process', 'processes')]).toEqual([
    '1 job',
    '0 jobs',
    '1,200 processes',
  ])
})
