import { describe, expect, it } from 'vitest'
import { toldEnd } from './told-end.ts'

const standing = { reason: null, hasStarted: true, result: null }

describe('the end of an attempt in the queue', () => {
  it('says of one that ran, was cancelled and lost its worker what became of its figures', () => {
    const why = 'its worker on node01 was lost'
    expect(toldEnd('cancelled', { ...standing, reason: why })).toMatchObject({
      kind: 'ended',
      result: {
        outcome: { status: 'cancelled', reason: why },
        usage: { cpuTotalSeconds: { value: null, why: 'its worker was lost' } },
      },
    })
  })

  it('says of one that never ran that it did not', () => {
    const reason = 'cancelled before it began'
    expect(toldEnd('cancelled', { ...standing, reason, hasStarted: false })).toMatchObject({
      kind: 'ended',
      result: {
        outcome: { status: 'cancelled', reason: 'cancelled by SIGTERM' },
        usage: { cpuTotalSeconds: { value: null, why: 'it was never started' } },
      },
    })
  })

  it('is not known of one that was interrupted, whatever came later', () => {
    expect(toldEnd('interrupted', { ...standing, result: '{}' })).toEqual({
      kind: 'gone',
      why: 'its worker was lost',
    })
  })
})
