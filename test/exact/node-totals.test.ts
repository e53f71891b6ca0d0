import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { realSystem } from '../../src/system/real.ts'
import { exitCode, userCgroup } from '../node/user-cgroup.ts'
import { sandbox, workload, workloadsMissing } from '../program.ts'
import { asRootOnly } from '../root-only.ts'

interface Usage {
  readonly total: number
  readonly rows: readonly { readonly user: string; readonly core_seconds: number }[]
}

/** What each of them runs: one long process, children one after another, a tree of threads. */
const loads = [
  { uid: 64_341, command: [workload('burn'), '6000', '-'] },
  { uid: 64_342, command: [workload('children'), '100', '50', '1', '-'] },
  { uid: 64_343, command: [workload('children'), '2000', '2', '2', '-'] },
]

const { ticksPerSecond } = realSystem({ ownsProcess: false }).host

function busySeconds(): number {
  const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/)
  const busy = [0, 1, 2, 5, 6, 7].map((at) => Number(fields[at]))
  return busy.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond
}

describe.skipIf(asRootOnly.isSkipped || workloadsMissing)(
  `the sum over all jobs${asRootOnly.why}`,
  () => {
    it(
      'is what the node has, and each user’s part what the kernel has',
      { timeout: 180_000 },
      async () => {
        using box = sandbox()
        const db = box.path('node.db')
        const args = ['agent', '--verbose', '--interval', '2', '--db', db]
        const agent = box.start(args, { timeoutMs: 170_000 })
        await agent.saw('looking every')
        const before = busySeconds()
        using made = new DisposableStack()
        const groups = loads.map(({ uid }) => made.use(userCgroup(uid)))
        const codes = await Promise.all(
          groups.map((group, at) => exitCode(group.within(loads[at]?.command ?? []))),
        )
        expect(codes).toEqual(loads.map(() => 0))
        agent.signal('SIGTERM')
        await agent.ended
        const node = busySeconds() - before
        const asked = await box.jobmeter(['usage', '--by', 'user', '--format', 'json', '--db', db])
        const usage = JSON.parse(asked.stdout) as Usage
        const of = (name: string) => usage.rows.find(({ user }) => user === name)?.core_seconds ?? 0
        const users = groups.map((group) => ({
          told: of(String(group.uid)),
          truth: group.cpuSeconds(),
        }))
        process.stderr.write(
          `node ${node.toFixed(2)} s, all jobs ${usage.total.toFixed(2)} s, unattributed ${of('unattributed').toFixed(2)} s; ` +
            `${users.map(({ told, truth }) => `${told.toFixed(2)}/${truth.toFixed(2)} s`).join(', ')}\n`,
        )
        expect(Math.abs(usage.total / node - 1)).toBeLessThan(0.02)
        for (const { told, truth } of users) expect(Math.abs(told / truth - 1)).toBeLessThan(0.02)
        // Above 0 there is whatever else the machine does unseen; below it, something would have counted twice.
        expect(of('unattributed')).toBeGreaterThan(-0.02 * node)
      },
    )
  },
)
