import { describe, expect, it } from 'vitest'
import { outcomeOf } from './job-status.ts'

describe('how a job ended', () => {
  it('has the exit code and the error that it is told', () => {
    expect(outcomeOf('failed', { returncode: 3, error: 'no mesh' })).toEqual({
      status: 'failed',
      exitCode: 3,
      signal: null,
      reason: 'no mesh',
      stragglers: [],
    })
    expect(outcomeOf('success')).toMatchObject({ status: 'success', exitCode: null, reason: null })
    expect(outcomeOf('error', { error: new TypeError('x is not a function') }).reason).toBe(
      'TypeError: x is not a function',
    )
  })

  it('takes a negative code for a signal, as Python writes it', () => {
    expect(outcomeOf('failed', { returncode: -9 })).toMatchObject({
      exitCode: 137,
      signal: 'SIGKILL',
    })
  })

  it('keeps a code that no process here can have as words', () => {
    expect(outcomeOf('failed', { returncode: 3_221_225_477, error: 'crash' })).toMatchObject({
      exitCode: null,
      reason: 'returned 3221225477: crash',
    })
    expect(outcomeOf('failed', { returncode: -999 })).toMatchObject({ reason: 'returned -999' })
  })

  it('keeps the end of a long log', () => {
    const { reason } = outcomeOf('failed', { error: `${'x'.repeat(20_000)}the cause` })
    expect(reason).toMatch(/^\(10009 characters left out\) x+the cause$/)
  })

  it('refuses what is no status or no code, and says what to write', () => {
    expect(() => outcomeOf('sucess' as 'success')).toThrow(
      '"sucess" is not a status. Did you mean success? Use one of success, failed,',
    )
    expect(() => outcomeOf('failed', { returncode: 1.5 })).toThrow('Leave it out')
  })
})
