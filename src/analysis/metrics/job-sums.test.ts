import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CountedAttempt } from '../../model/counted-attempt.ts'
import { outcomeStatuses } from '../../model/outcome.ts'
import { JobSums } from './job-sums.ts'
import { LabelBook, labelText, type LabelLimits } from './label-book.ts'
import { runningSums } from './running-sums.ts'

const amount = fc.option(fc.nat(1000), { nil: null })
const anyAttempt: fc.Arbitrary<CountedAttempt> = fc.record({
  attemptId: fc.nat(),
  user: fc.constantFrom('ada', 'bob', 'eve', 'dan', ''),
  name: fc.oneof(
    fc.constantFrom('other', 'a\nb', 'x'.repeat(300)),
    fc.stringMatching(/^[a-h]{1,2}$/),
  ),
  status: fc.constantFrom(...outcomeStatuses),
  startedAt: fc.nat(),
  durationSeconds: amount,
  cpuSeconds: amount,
  memoryPeakBytes: amount,
})
const attempts = fc.array(anyAttempt, { maxLength: 80 })
const anyLimits: fc.Arbitrary<LabelLimits> = fc.record({
  names: fc.nat(5),
  users: fc.nat(3),
  pairs: fc.nat(8),
})

const total = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

describe('sums over jobs by user and name', () => {
  it('are exact in all, however few labels there are, and bounded', () => {
    fc.assert(
      fc.property(anyLimits, attempts, attempts, (limits, before, after) => {
        const sums = new JobSums(new LabelBook(limits))
        for (const one of before) sums.add(one)
        sums.settle()
        for (const one of after) sums.add(one)
        const all = [...before, ...after]
        expect(total(sums.ended.map(({ attempts: count }) => count))).toBe(all.length)
        const most = (values: readonly (number | null)[]): number =>
          Math.max(0, ...values.map(Number))
        expect(total(sums.used.map(({ cpuSeconds }) => cpuSeconds))).toBe(
          total(all.map(({ cpuSeconds }) => cpuSeconds)),
        )
        expect(most(sums.used.map(({ memoryPeakBytes }) => memoryPeakBytes))).toBe(
          most(all.map(({ memoryPeakBytes }) => memoryPeakBytes)),
        )
        expect(total(sums.used.map(({ wallSeconds }) => wallSeconds))).toBe(
          total(all.map(({ durationSeconds }) => durationSeconds)),
        )
        const { used } = sums
        expect(new Set(used.map(({ user }) => user)).size).toBeLessThanOrEqual(limits.users + 1)
        expect(new Set(used.map(({ name }) => name)).size).toBeLessThanOrEqual(limits.names + 1)
        const own = used.filter(({ name }) => name !== 'other')
        expect(own.length).toBeLessThanOrEqual(limits.pairs)
        // No two samples have the same labels.
        const labels = used.map(({ user, name }) => JSON.stringify([user, name]))
        expect(new Set(labels).size).toBe(labels.length)
        expect(Math.min(...used.map(({ since }) => since))).toBe(
          Math.min(...all.map(({ startedAt }) => startedAt)),
        )
      }),
    )
  })

  it('never go down', () => {
    fc.assert(
      fc.property(anyLimits, attempts, attempts, (limits, before, after) => {
        const sums = new JobSums(new LabelBook(limits))
        for (const one of before) sums.add(one)
        sums.settle()
        const told = new Map<string, number>()
        for (const one of after) {
          sums.add(one)
          const now = sums.ended.map(
            ({ user, name, status, attempts: count }) =>
              [JSON.stringify([user, name, status]), count] as const,
          )
          for (const [key, count] of now) {
            expect(count).toBeGreaterThanOrEqual(told.get(key) ?? 0)
            told.set(key, count)
          }
          expect(now).toHaveLength(told.size)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('give labels to the biggest first', () => {
    const sums = new JobSums(new LabelBook({ names: 2, users: 1, pairs: 10 }))
    const one = (user: string, name: string, cpuSeconds: number): CountedAttempt => ({
      attemptId: 1,
      user,
      name,
      status: 'success',
      startedAt: 5,
      durationSeconds: 1,
      cpuSeconds,
      memoryPeakBytes: null,
    })
    sums.add(one('ada', 'tiny', 1))
    sums.add(one('ada', 'train', 50))
    sums.add(one('bob', 'solve', 70))
    sums.add(one('bob', 'train', 60))
    sums.settle()
    sums.add(one('bob', 'late', 1000))
    const told = sums.used.map(({ user, name, cpuSeconds }) => [user, name, cpuSeconds])
    expect(told.toSorted((a, b) => Number(b[2]) - Number(a[2]))).toEqual([
      ['bob', 'other', 1000],
      ['bob', 'solve', 70],
      ['bob', 'train', 60],
      ['other', 'train', 50],
      ['other', 'other', 1],
    ])
  })

  it('add up what runs, as far as it is known', () => {
    const job = {
      user: 'ada',
      name: 'train',
      requirements: { cpus: 2, memoryBytes: null, gpus: null },
    }
    const sums = runningSums(
      [
        { ...job, cpuCores: 1.5, memoryBytes: null },
        { ...job, cpuCores: null, memoryBytes: null },
      ],
      new LabelBook({ names: 1, users: 1, pairs: 1 }),
    )
    expect(sums).toEqual([
      {
        user: 'ada',
        name: 'train',
        attempts: 2,
        cpuCores: 1.5,
        memoryBytes: null,
        requestedCpus: 4,
        requestedMemoryBytes: null,
        requestedGpus: null,
      },
    ])
  })
})

describe('a label', () => {
  it.each([
    ['train', 'train'],
    ['a\nb\u001b[31m', 'a�b�[31m'],
    ['  ', 'unnamed'],
    ['', 'unnamed'],
    ['😀'.repeat(120), '😀'.repeat(50)],
    [`a${'😀'.repeat(60)}`, `a${'😀'.repeat(49)}\u{fffd}`],
  ])('of %j is %j', (text, label) => expect(labelText(text)).toBe(label))
})
