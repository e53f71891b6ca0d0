import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisson, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { atLeast, measured, type Measured } from '../../model/measured.ts'
import type { JobRecord } from '../../model/record.ts'
import { threadBasis, threadNameIn } from '../../model/thread-basis.ts'
import { boundBy } from './bound-by.ts'
import { busiestThread } from './busiest-thread.ts'

/** A job of 100 s that used so much CPU time, in one thread and in others. */
function job(threadSeconds: number, otherSeconds: number, cpus: number | null = 4): JobRecord {
  const busiestThreadPercent: Measured = measured(threadSeconds, threadBasis('loader', 'stat'))
  const usage = {
    ...usageOf({ cpuTotalSeconds: threadSeconds + otherSeconds }),
    busiestThreadPercent,
  }
  const requirements = { ...poisson.requirements, cpus }
  return { ...poisson, durationSeconds: 100, requirements, usage }
}

describe('one thread that the others wait for', () => {
  it('is named', () => {
    expect(boundBy(job(98, 0.5))).toEqual({
      kind: 'one-core',
      sentence:
        "One thread, 'loader', was busy 98 % of the time while the other 3 requested cores did nothing: the job waits for it.",
    })
    expect(boundBy(job(95, 60)).sentence).toBe(
      "One thread, 'loader', was busy 95 % of the time while the other 3 requested cores did little (60 % of one core): the job waits for it.",
    )
    expect(boundBy(job(98, 10, 2)).sentence).toContain(
      'while the other requested core did little (10 % of one core)',
    )
  })

  it.each([
    [55, 'little (55 % of one core)'],
    [150, 'little (1.5 cores)'],
    [0.5, 'nothing'],
  ])('has what many others did told in cores: %d s', (otherSeconds, did) => {
    const machine = { ...poisson.machine, cores: 64 }
    const record = { ...job(95, otherSeconds, null), machine }
    expect(boundBy(record).sentence).toContain(
      `while the other 63 cores did ${did}: the job waits for it.`,
    )
  })

  it('leaves the others no more than it was not seen to do itself', () => {
    const record = job(95, 60)
    const busiestThreadPercent = atLeast(95, threadBasis('loader', 'stat'))
    const usage = { ...record.usage, busiestThreadPercent }
    expect(boundBy({ ...record, usage }).sentence).toBe(
      "One thread, 'loader', was busy at least 95 % of the time while the other 3 requested cores did little (at most 60 % of one core): the job waits for it.",
    )
  })

  it('is named as the one that works where a full machine kept it from being busy all the time', () => {
    const record = job(87, 1)
    const usage = { ...record.usage, cpuPercentPeak: measured(100, 'looks') }
    expect(boundBy({ ...record, usage }).sentence).toBe(
      "Used one core of 4, nearly all of it in one thread, 'loader': it is serial, so more cores will not help.",
    )
  })

  it.each([
    ['the others were busy too', job(98, 150)],
    ['it waited itself', job(70, 10)],
    ['there is no other core', job(98, 0, 1)],
  ])('is not, where %s', (_, record) => {
    expect(boundBy(record).sentence).not.toContain('loader')
  })

  it('cannot change what the terminal does', () => {
    const figure = atLeast(99, threadBasis('\u001B[31mred\n', 'stat'))
    const usage = { ...usageOf({}), busiestThreadPercent: figure }
    expect(busiestThread(usage)).toEqual({
      name: '?[31mred?',
      share: 0.99,
      isLowerBound: true,
    })
  })
})

describe('the basis of a thread', () => {
  it('tells its name again, whatever that is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (name, how) => {
        expect(threadNameIn(threadBasis(name, how))).toBe(name)
      }),
    )
  })

  it('is not found in others', () => {
    expect(threadNameIn('/proc/PID/stat')).toBeUndefined()
    expect(threadNameIn('thread "unended: stat')).toBeUndefined()
  })
})
