import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullRefOf, parseJobRef, refOf, withHost } from './job-ref.ts'
import { jobKinds } from './node-round.ts'

describe('what a job that the agent saw is called', () => {
  it.each([
    ['slurm:4711', { kind: 'slurm', id: '4711', host: null }],
    ['unit:ssh.service@1000', { kind: 'unit', id: 'ssh.service@1000', host: null }],
    ['rolled-up:1000/bash', { kind: 'rolled-up', id: '1000/bash', host: null }],
    ['node:12', { rowId: 12 }],
    ['train', undefined],
    ['3f8a21b2c4d5', undefined],
    ['tag:nightly', undefined],
    ['slurm:', undefined],
    ['node:x', undefined],
  ])('%j', (text, ref) => expect(parseJobRef(text)).toEqual(ref))

  it('can be typed as it is printed, with its host or without', () => {
    const id = fc.string({ minLength: 1, maxLength: 32 })
    const host = fc.stringMatching(/^[a-z0-9.-]{1,20}$/)
    fc.assert(
      fc.property(fc.constantFrom(...jobKinds), id, host, (kind, given, name) => {
        const job = { kind, id: given, host: name }
        expect(parseJobRef(refOf(job))).toEqual({ ...job, host: null })
        const typed = parseJobRef(fullRefOf(job))
        expect(typed && withHost(typed)).toEqual(job)
      }),
    )
  })
})
