import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../system/fake-clock.ts'
import { RequestLog, type LogKind } from './request-log.ts'

const refused = {
  method: 'GET',
  route: '/api/v1/jobs',
  status: 401,
  user: null,
  address: '10.0.0.1',
  reason: 'Sign in first',
}

function logOf(kind: LogKind) {
  const written: string[] = []
  const { clock, advance } = fakeClock(1000)
  return { written, advance, log: new RequestLog((line) => void written.push(line), clock, kind) }
}

describe('the log of requests', () => {
  it('has a line of JSON for each', () => {
    const { log, written } = logOf('refused')
    log.tell(refused)
    expect(written).toHaveLength(1)
    expect(written[0]).toMatch(/^\{"time":"\d{4}-.*"\}\n$/)
    expect(JSON.parse(written[0] ?? '')).toMatchObject(refused)
  })

  it('does not fill a disk, and says how much it left out', () => {
    const { log, written, advance } = logOf('refused')
    for (let each = 0; each < 10_000; each++) log.tell(refused)
    expect(written).toHaveLength(100)
    // What others do is not hidden by it.
    log.tell({ ...refused, reason: 'something else' })
    expect(written).toHaveLength(101)
    advance(1)
    log.tell(refused)
    expect(written).toHaveLength(102)
    expect(JSON.parse(written[101] ?? '')).toMatchObject({ ...refused, left_out: 9900 })
  })

  it('can be switched off', () => {
    const { log, written } = logOf('off')
    log.tell(refused)
    expect(written).toEqual([])
  })
})
