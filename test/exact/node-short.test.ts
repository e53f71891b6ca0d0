import { describe, expect, it } from 'vitest'
import { exitCode, userCgroup } from '../node/user-cgroup.ts'
import { sandbox, workload, workloadsMissing } from '../program.ts'
import { asRootOnly } from '../root-only.ts'

interface Usage {
  readonly rows: readonly { readonly user: string; readonly core_seconds: number }[]
}

const uids = [64_331, 64_332, 64_333]
const each = 6_667

describe.skipIf(asRootOnly.isSkipped || workloadsMissing)(
  `processes that live between two rounds${asRootOnly.why}`,
  () => {
    it('count for their users, to 2 % of what the kernel has', { timeout: 300_000 }, async () => {
      using box = sandbox()
      const db = box.path('node.db')
      const agent = box.start(['agent', '--verbose', '--interval', '3600', '--db', db], {
        timeoutMs: 280_000,
      })
      await agent.saw('looking every')
      using made = new DisposableStack()
      const groups = uids.map((uid) => made.use(userCgroup(uid)))
      const began = performance.now()
      const codes = await Promise.all(
        groups.map((group) =>
          exitCode(group.within([workload('children'), String(each), '1', '1', '-'])),
        ),
      )
      expect(codes).toEqual(uids.map(() => 0))
      const wallSeconds = (performance.now() - began) / 1000
      agent.signal('SIGTERM')
      const ended = await agent.ended
      expect(ended.code).toBe(0)
      const cost = (await box.jobmeter(['usage', '--by', 'user', '--format', 'json', '--db', db]))
        .stdout
      const { rows } = JSON.parse(cost) as Usage
      const found = groups.map((group) => {
        const told = rows.find(({ user }) => user === String(group.uid))?.core_seconds ?? 0
        const truth = group.cpuSeconds()
        return { told, truth, error: told / truth - 1 }
      })
      process.stderr.write(
        `${uids.length * each} processes in ${wallSeconds.toFixed(1)} s: ` +
          found
            .map(
              ({ told, truth, error }) =>
                `${told.toFixed(2)}/${truth.toFixed(2)} s (${(100 * error).toFixed(2)} %)`,
            )
            .join(', ') +
          `; ${/the agent itself.*/.exec(ended.stdout)?.[0]}\n`,
      )
      for (const { error } of found) expect(Math.abs(error)).toBeLessThan(0.02)
    })
  },
)
