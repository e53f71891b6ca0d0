import { describe, expect, it } from 'vitest'
import type { Violation } from '../../model/violation.ts'
import { hogsText } from './hogs.ts'

const violation = (id: string, more: Partial<Violation> = {}): Violation => ({
  id: 1,
  policy: 'cpuhog',
  severity: 'warning',
  subject: {
    host: 'node01',
    user: 'ada',
    account: null,
    job: { epoch: 'first boot', kind: 'slurm', id, command: 'make' },
  },
  firstSeen: 1_772_409_600,
  lastSeen: 1_772_413_200,
  heldSeconds: 3600,
  text: 'keeps cores busy',
  suppressedBecause: null,
  reportedAt: null,
  resolvedAt: null,
  resolvedBecause: null,
  ...more,
})

const suppressed = violation('4712', { suppressedBecause: '14 of 16 cores were free' })

describe('the text of hogs', () => {
  it('calls jobs as they can be typed', () => {
    const text = hogsText([violation('4711')], [], { zone: 'utc', all: false })
    expect(text).toMatch(/^cpuhog\s+ada\s+slurm:4711\s/m)
  })

  it('says what was not reported, and why', () => {
    const view = { zone: 'utc', all: false } as const
    expect(hogsText([suppressed], [], view)).toContain(
      '1 finding was not reported: the rest of the node was mostly idle (--all lists it).\n',
    )
    expect(hogsText([suppressed, suppressed], [], view)).toContain(
      '2 findings were not reported: the rest of the node was mostly idle (--all lists them).\n',
    )
    expect(hogsText([suppressed], [], { zone: 'utc', all: true })).toMatch(
      /^cpuhog, make of ada on node01, .* UTC, not reported: 14 of 16 cores were free$/m,
    )
  })
})
