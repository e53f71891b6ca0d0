import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measured } from '../../model/measured.ts'
import { containerTimes, meanCpu, type ToldTimes } from './container-times.ts'

const [recordedStart, recordedEnd] = [1_800_000_000, 1_800_000_100]
const plain: ToldTimes = {
  startedAt: recordedStart + 1,
  endedAt: recordedStart + 91,
  isRunning: false,
  isOwn: true,
  recordedStart,
  recordedEnd,
}
const values = (told: Partial<ToldTimes>) => {
  const { startup, run, watched } = containerTimes({ ...plain, ...told })
  return [startup.value, run.value, watched.value]
}
const why = (told: Partial<ToldTimes>) => {
  const { run } = containerTimes({ ...plain, ...told })
  return run.value === null ? run.why : null
}

describe('the times of a container', () => {
  it('are those of its daemon, as far as the job was there', () => {
    expect(values({})).toEqual([1, 90, 90])
    expect(values({ isRunning: true, endedAt: null })).toEqual([1, null, 99])
    const before = { startedAt: recordedStart - 1000, isOwn: false }
    expect(values(before)).toEqual([null, 1091, 91])
  })

  it('are missing where they cannot be true, with the reason', () => {
    expect(why({ startedAt: null })).toContain('does not tell when it was started')
    expect(why({ startedAt: recordedEnd + 1e6 })).toContain('is after the end of the job')
    expect(why({ startedAt: recordedStart - 1e6 })).toContain('is too early')
    expect(why({ startedAt: 1, isOwn: false })).toContain('(1970-01-01T00:00:01.000Z) is too early')
    expect(why({ endedAt: 9e15 })).toContain('end (9000000000000000) is after the end of the job')
    expect(why({ endedAt: recordedStart })).toContain('is before that of its start')
    expect(why({ endedAt: null })).toBe('its end was not seen')
  })

  it('are never negative, nor longer than the job for a container of its own', () => {
    const moment = fc.option(
      fc.oneof(fc.double({ noNaN: true }), fc.double({ min: 1.7e9, max: 1.9e9, noNaN: true })),
    )
    fc.assert(
      fc.property(
        moment,
        moment,
        fc.boolean(),
        fc.boolean(),
        (startedAt, endedAt, isRunning, isOwn) => {
          const times = containerTimes({ ...plain, startedAt, endedAt, isRunning, isOwn })
          for (const { value } of Object.values(times)) {
            if (value === null) continue
            expect(value).toBeGreaterThanOrEqual(0)
            expect(value).toBeLessThanOrEqual(isOwn ? 100 + 120 : 100 + 60 + 20 * 365 * 86_400)
          }
        },
      ),
    )
  })
})

describe('the mean CPU of a container', () => {
  it('is not more than the machine has', () => {
    const cpu = measured(10, 'cgroup')
    expect(meanCpu(cpu, measured(10, 'times'), 2).value).toBe(100)
    for (const seconds of [1e-6, 0])
      expect(meanCpu(cpu, measured(seconds, 'times'), 2).value).toBeNull()
  })
})
