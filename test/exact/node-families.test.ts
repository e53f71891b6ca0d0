import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { userCgroup } from '../node/user-cgroup.ts'
import { sandbox, workload, workloadsMissing } from '../program.ts'
import { asRootOnly } from '../root-only.ts'

interface Usage {
  readonly rows: readonly { readonly user: string; readonly core_seconds: number }[]
}

const families = [1, 2, 3].map((seed) => ({ seed, uid: 64_360 + seed }))
const lifeMs = 8000

describe.skipIf(asRootOnly.isSkipped || workloadsMissing)(
  `families that are killed, adopted and ignored${asRootOnly.why}`,
  () => {
    it('count for their users, to 8 % of what the kernel has', async () => {
      using box = sandbox()
      const db = box.path('node.db')
      const agent = box.start(['agent', '--verbose', '--interval', '1s', '--db', db], {
        timeoutMs: 110_000,
      })
      await agent.saw('looking every')
      const groups = families.map(({ uid }) => userCgroup(uid))
      await Promise.all(
        families.map(async ({ seed }, at) => {
          const command = [workload('family'), String(seed), String(lifeMs)]
          const [program = '', ...words] = groups[at]?.within(command) ?? []
          await once(spawn(program, words, { stdio: 'ignore', detached: true }), 'exit')
        }),
      )
      await Promise.all(groups.map((group) => group.emptied()))
      agent.signal('SIGTERM')
      await agent.ended
      const asked = await box.jobmeter(['usage', '--by', 'user', '--format', 'json', '--db', db])
      const { rows } = JSON.parse(asked.stdout) as Usage
      const found = groups.map((group) => {
        const truth = group.cpuSeconds()
        group[Symbol.dispose]()
        const told = rows.find(({ user }) => user === String(group.uid))?.core_seconds ?? 0
        return { told, truth }
      })
      process.stderr.write(
        `${found.map(({ told, truth }) => `${told.toFixed(2)}/${truth.toFixed(2)} s`).join(', ')}\n`,
      )
      // Nobody's counters have what an ignored child did after its record was written; the records go by ticks besides.
      for (const { told, truth } of found) expect(Math.abs(told / truth - 1)).toBeLessThan(0.08)
    })
  },
)
