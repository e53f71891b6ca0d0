import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRequestMark } from './request-mark.ts'
import { requestMark } from './task-mark.ts'

const amount = fc.option(
  fc.integer({ min: 0, max: 2 ** 50 }).map((whole) => whole / 4),
  { nil: null },
)

describe('what a job asked for, in its environment', () => {
  it('comes back as it was written', () => {
    fc.assert(
      fc.property(
        fc.record({ cpus: amount, memoryBytes: amount, gpus: amount, runtimeSeconds: amount }),
        (asked) => {
          const mark = requestMark(asked)
          const isEmpty = Object.values(asked).every((value) => value === null)
          expect(mark === undefined).toBe(isEmpty)
          expect(parseRequestMark(mark ?? '')).toEqual(isEmpty ? null : asked)
        },
      ),
    )
  })

  it('is nothing but numbers, whoever wrote it', () => {
    expect(parseRequestMark('cpus=-1,memory=1e99,gpus=Infinity')).toBeNull()
    fc.assert(
      fc.property(fc.string(), (text) => {
        const values = Object.values(parseRequestMark(text) ?? {})
        expect(values.every((value) => value === null || value >= 0)).toBe(true)
      }),
    )
  })
})
