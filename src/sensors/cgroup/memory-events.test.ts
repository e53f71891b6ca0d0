import { describe, expect, it } from 'vitest'
import { cgroupFixture } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest } from '../../../test/fixtures/procfs/honest.ts'
import { MemoryEvents, parseMemoryEvents, parseOomControl } from './memory-events.ts'

describe('memory events', () => {
  it.each([
    ['5.10', 1, 2],
    ['6.18', 4, 2],
  ])('reads v2 of %s', (kernel, oomKills, oom) => {
    const content = cgroupFixture(`memory-events-${kernel}`)
    const into = new MemoryEvents()
    expect(parseMemoryEvents(content, content.length, into)).toBe(true)
    expect(into).toEqual({ oomKills, oom })
  })

  it('reads v1, where oom_kill_disable is another line', () => {
    const content = cgroupFixture('memory-oom-control-6.18')
    const into = new MemoryEvents()
    expect(parseOomControl(content, content.length, into)).toBe(true)
    expect(into).toEqual({ oomKills: 0, oom: Number.NaN })
  })

  it('does not take v1 of a kernel that does not count', () => {
    const content = cgroupFixture('memory-oom-control-4.4')
    expect(parseOomControl(content, content.length, new MemoryEvents())).toBe(false)
  })

  it('is honest about garbage', () => {
    const events = [cgroupFixture('memory-events-6.18')]
    checkHonest(parseMemoryEvents, () => new MemoryEvents(), events, { absent: ['oom'] })
    const control = [cgroupFixture('memory-oom-control-6.18')]
    checkHonest(parseOomControl, () => new MemoryEvents(), control, { absent: ['oom'] })
  })
})
