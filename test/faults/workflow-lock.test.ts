import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lockLedger, whileLocked } from '../locked-ledger.ts'
import { sandbox } from '../program.ts'
import { flow, results, until } from '../workflow/flow.ts'

const notice = 'waiting for another process to unlock the ledger'
/** Longer than a statement waits for a lock by itself. */
const lockedSeconds = 12

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000))

// At once: each waits for a lock of its own, and does nothing meanwhile.
describe.concurrent('a workflow whose ledger another process keeps locked', () => {
  it('while jobs end and are to start waits, and keeps every result', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `failure_handlers: [{ name: again, rules: [{ exit_codes: [9], max_retries: 1 }] }]
jobs:
  - { name: a, command: "touch began; until test -e go; do sleep 0.05; done" }
  - { name: b, command: "until test -e go; do sleep 0.05; done; sleep 1" }
  - { name: c, command: "until test -e go; do sleep 0.05; done; test -e once || { touch once; exit 9; }", failure_handler: again }
  - { name: d, command: "touch last", depends_on: [a, b, c] }
`,
    )
    const startedAt = performance.now()
    const running = box.start(['run', spec, '--max-parallel-jobs', '3'])
    await until(() => existsSync(box.path('began')))
    const hasGoneOn = await whileLocked(box.db, async () => {
      writeFileSync(box.path('go'), '')
      await running.saw(notice)
      await seconds(lockedSeconds - 3)
      return existsSync(box.path('last'))
    })
    const secondsUntilFree = (performance.now() - startedAt) / 1000
    expect(hasGoneOn).toBe(false)
    const { code, stderr } = await running.ended
    expect(code, stderr).toBe(0)
    expect(stderr.split(notice)).toHaveLength(2)
    const kept = await results(box, '--all-runs')
    expect(kept.map(({ job_name, status, attempt }) => `${job_name} ${status} ${attempt}`)).toEqual(
      ['a success 1', 'b success 1', 'c failed 1', 'c success 2', 'd success 1'],
    )
    // They were seen to end when they did, not when that could be written down.
    for (const { exec_time_seconds } of kept)
      expect(exec_time_seconds).toBeLessThan(secondsUntilFree - 3)
  })

  it('before it starts waits, and then runs', async () => {
    using box = sandbox()
    const spec = flow(box, 'jobs: [{ name: a, command: "true" }]\n')
    const unlock = lockLedger(box.db)
    const running = box.start(['run', spec])
    await running.saw(notice)
    await seconds(lockedSeconds - 3)
    unlock()
    const { code, stderr } = await running.ended
    expect(code, stderr).toBe(0)
    expect(stderr.split(notice)).toHaveLength(2)
    expect(await results(box)).toMatchObject([{ status: 'success' }])
  })

  it('can be stopped while it waits', async () => {
    using box = sandbox()
    const spec = flow(box, 'jobs: [{ name: a, command: "touch began; sleep 60" }]\n')
    const running = box.start(['run', spec, '--grace', '0'])
    await until(() => existsSync(box.path('began')))
    const unlock = lockLedger(box.db)
    running.signal('SIGTERM')
    await running.saw(notice)
    unlock()
    const { code, stderr } = await running.ended
    expect(code, stderr).toBe(143)
    expect(await results(box)).toMatchObject([{ job_name: 'a', return_code: 143 }])
  })
})
