import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { LiveAlertEvent } from '../../src/model/live.ts'
import { LiveFeed } from '../../src/service/live/live-feed.ts'
import { realSystem } from '../../src/system/real.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { until } from '../workflow/flow.ts'

const system = realSystem({ ownsProcess: false })

/** Hears of alerts alone. */
function hearing(box: Sandbox) {
  const problems: string[] = []
  const events: LiveAlertEvent[] = []
  const feed = new LiveFeed(system, box.db, { onProblem: (problem) => problems.push(problem) })
  feed.listen((told) => {
    for (const { event } of told) if (event.kind === 'alert') events.push(event)
  })
  const changes = () => events.map(({ change, alert }) => `${change} ${alert.rule}`)
  return { events, problems, changes, [Symbol.dispose]: () => feed.stop() }
}

const rules = `channels: [{name: log, type: file, path: alerts.jsonl}]
rules: [{name: memory-pressure, enabled: false}, {name: job-stuck, for: 1s}]
`

describe('live events of alerts', () => {
  it('tell what fires on a real job, who has seen it, and that it is over', async () => {
    using box = sandbox()
    writeFileSync(box.path('alerts.yaml'), rules)
    const env = { JOBMETER_ALERTS: box.path('alerts.yaml') }
    const run = (...command: string[]) =>
      box.jobmeter(['run', '-q', '--name', 'nightly', '--', ...command], { env })
    using first = hearing(box)
    await run('sh', '-c', 'exit 3')
    await until(() => first.events.length === 1)
    const [fired] = first.events
    expect(fired).toMatchObject({
      change: 'fired',
      user: system.host.user,
      alert: {
        rule: 'job-failed',
        severity: 'critical',
        subject: { job: 'nightly' },
        text: 'the job failed: exited with code 3',
        resolvedAt: null,
        acknowledgedAt: null,
        acknowledgedBy: null,
      },
    })
    // Who comes now is told what fires already.
    using second = hearing(box)
    await until(() => second.events.length === 1)
    expect(second.changes()).toEqual(['found job-failed'])
    const { alertId = '' } = fired?.alert ?? {}
    const { code } = await box.jobmeter(['alerts', 'acknowledge', alertId])
    expect(code).toBe(0)
    for (const { events } of [first, second]) {
      await until(() => events.length === 2)
      expect(events[1]).toMatchObject({
        change: 'acknowledged',
        alert: { alertId, acknowledgedBy: system.host.user, resolvedAt: null },
      })
      expect(events[1]?.alert.acknowledgedAt).toBeGreaterThan(fired?.alert.firedAt ?? Infinity)
    }
    await run('true')
    for (const { events, problems } of [first, second]) {
      await until(() => events.length === 3)
      expect(events[2]).toMatchObject({
        change: 'resolved',
        alert: { alertId, acknowledgedBy: system.host.user },
      })
      expect(events[2]?.alert.resolvedAt).not.toBeNull()
      expect(problems).toEqual([])
    }
    // One that fires anew is another.
    await run('sh', '-c', 'exit 4')
    await until(() => first.events.length === 4)
    expect(first.changes().at(-1)).toBe('fired job-failed')
    expect(first.events[3]?.alert.alertId).not.toBe(alertId)
  })

  it('tell of one that fires while its job runs, before the job has ended', async () => {
    using box = sandbox()
    writeFileSync(box.path('alerts.yaml'), rules)
    const env = { JOBMETER_ALERTS: box.path('alerts.yaml') }
    using heard = hearing(box)
    const job = box.start(['run', '-q', '--name', 'idle', '--', 'sleep', '60'], { env, input: '' })
    await until(() => heard.changes().includes('fired job-stuck'))
    job.signal('SIGTERM')
    await job.ended
    await until(() => heard.changes().includes('resolved job-stuck'))
    expect(heard.problems).toEqual([])
  })
})
