import { describe, expect, it } from 'vitest'
import { hostUptimes } from './gaps.ts'

const stretch = (from: number, to: number, epoch: string | null, host = 'a') => ({
  host,
  from,
  to,
  epoch,
  rounds: 1,
})
const asked = { from: 0, to: 1000, shortestGap: 50 }

describe('hostUptimes', () => {
  it('tells the agent that was down from the host that was restarted', () => {
    const seen = [stretch(0, 100, 'x'), stretch(300, 400, 'x'), stretch(600, 1000, 'y')]
    const [uptime] = hostUptimes(seen, [{ host: 'a', epoch: 'y', at: 550 }], asked)
    expect(uptime).toMatchObject({ seenSeconds: 600, restarts: 1 })
    expect(uptime?.gaps).toEqual([
      { from: 100, to: 300, cause: 'agent-down', bootedAt: null },
      { from: 400, to: 600, cause: 'restarted', bootedAt: 550 },
    ])
  })

  it('takes no boot for one that lies outside the gap, nor of another host', () => {
    const seen = [stretch(0, 400, 'x'), stretch(600, 1000, 'y')]
    const boots = [
      { host: 'b', epoch: 'y', at: 500 },
      { host: 'a', epoch: 'y', at: 200 },
    ]
    expect(hostUptimes(seen, boots, asked)[0]?.gaps[0]).toMatchObject({ bootedAt: null })
  })

  it('says what it does not know, and what is not over', () => {
    const seen = [stretch(0, 100, null), stretch(300, 400, 'x')]
    const causes = hostUptimes(seen, [], asked)[0]?.gaps.map(({ cause }) => cause)
    expect(causes).toEqual(['unknown', 'open'])
  })

  it('counts a restart without a gap, and time before the first round for nothing', () => {
    const seen = [stretch(500, 600, 'x'), stretch(610, 1000, 'y')]
    expect(hostUptimes(seen, [], asked)).toMatchObject([
      { from: 500, restarts: 1, gaps: [], seenSeconds: 490 },
    ])
  })
})
