import { describe, expect, it } from 'vitest'
import { poisson } from '../../../test/golden/render/crafted-records.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import { threadBasis } from '../../model/thread-basis.ts'
import { optionalLines } from './optional-lines.ts'

const linesOf = (figures: Readonly<Record<string, Measured>>) =>
  optionalLines({ ...poisson.usage, ...figures })

describe('what is measured only now and then', () => {
  it('has no line where it was not measured', () => {
    expect(linesOf({})).toEqual([])
    expect(
      linesOf({ netSentBytes: unmeasured('no'), containerRunSeconds: unmeasured('no') }),
    ).toEqual([])
  })

  it('has one line each where it was', () => {
    expect(
      linesOf({
        netReceivedBytes: measured(2 ** 20, 'sockets'),
        netSentBytes: atLeast(2048, 'sockets'),
        busiestThreadPercent: measured(97.4, threadBasis('wor\u001bker', 'looks')),
        containerStartupSeconds: measured(0.42, 'daemon'),
        containerRunSeconds: measured(12.3, 'daemon'),
        containerThrottledPercent: measured(43, 'cgroup'),
        containerOomKills: measured(1, 'cgroup'),
      }),
    ).toEqual([
      ['Network', '1.0 MB received · at least 2.0 KB sent'],
      ['Thread', '97 % of the time in the busiest, wor?ker'],
      [
        'Container',
        'started in 0.42 s · ran 12.3 s · throttled in 43 % of periods · 1 process killed for memory',
      ],
    ])
  })

  it('says so where a container ran longer than it was watched', () => {
    const watched = {
      containerStartupSeconds: unmeasured('it was running already'),
      containerRunSeconds: measured(5.09, 'daemon'),
    }
    expect(linesOf(watched)).toEqual([['Container', 'ran 5.09 s in all']])
  })

  it('says that no traffic was seen where some may have been missed', () => {
    const nothing = atLeast(0, 'sockets at the looks')
    expect(linesOf({ netReceivedBytes: nothing, netSentBytes: nothing })).toEqual([
      ['Network', 'none seen'],
    ])
  })

  it('takes the interfaces of a container rather than the sockets of its processes', () => {
    const interfaces = { containerNetSentBytes: measured(2048, 'daemon') }
    expect(linesOf(interfaces)).toEqual([['Network', '2.0 KB sent']])
    expect(linesOf({ ...interfaces, netSentBytes: atLeast(1024, 'sockets') })).toEqual([
      ['Network', '2.0 KB sent'],
    ])
  })
})
