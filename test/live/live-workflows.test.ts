import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LiveFeed } from '../../src/service/live/live-feed.ts'
import { realSystem } from '../../src/system/real.ts'
import { sandbox } from '../program.ts'
import { flow, until } from '../workflow/flow.ts'
import { Told } from './told.ts'

const system = realSystem({ ownsProcess: false })

const jobs = `jobs:
  - { name: good, command: 'true' }
  - { name: bad, command: 'exit 3' }
`

const endless = `jobs:
  - { name: endless, command: 'touch begun; sleep 60' }
`

const stoppedAfter = (feed: LiveFeed) => ({
  listen: feed.listen.bind(feed),
  [Symbol.dispose]: () => feed.stop(),
})

describe('live events of workflows that nobody runs', () => {
  it('tell that one was reset, and cancelled, though it never ran while somebody listened', async () => {
    using box = sandbox()
    await box.jobmeter(['run', flow(box, jobs), '--quiet'])
    // Whoever runs this one is killed before anybody listens.
    const runner = box.start(['run', flow(box, endless), '--quiet'], { input: '' })
    await until(() => existsSync(box.path('begun')))
    runner.signal('SIGKILL')
    await runner.ended
    const told = new Told()
    using feed = stoppedAfter(new LiveFeed(system, box.db))
    feed.listen(told.hear)
    // When these two have ended, one of them interrupted, the ledger has been read.
    await box.run(['--', 'true'])
    await until(() => told.ended === 2)
    await box.history()
    expect(told.workflows.has(1)).toBe(false)
    await box.jobmeter(['workflows', 'reset', '1', '--failed'])
    await until(() => told.workflows.has(1))
    expect(told.workflows.get(1)).toMatchObject({ isBeingRun: false, states: { waiting: 1 } })
    await box.jobmeter(['workflows', 'cancel', '2'])
    await until(() => told.workflows.get(2)?.states.cancelled === 1)
    expect(told.workflows.get(2)).toMatchObject({ isBeingRun: false, running: 0 })
    expect(new Set(told.workflows.keys())).toEqual(new Set([1, 2]))
  })
})
