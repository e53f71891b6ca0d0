import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { monday, nodeJob, nodeRound } from '../../../test/synthetic/node-rounds.ts'
import type { Policy } from '../../model/policy.ts'
import { daySeconds, hourSeconds } from '../../model/time-parts.ts'
import { openNodeStore } from '../../store/node/open-node.ts'
import { tryPolicies } from './try-policies.ts'

const long: Policy = {
  name: 'long',
  isEnabled: true,
  scope: 'history',
  severity: 'warning',
  says: 'runs for long',
  explanation: 'It runs for long.',
  advice: 'Run it elsewhere.',
  conditions: [
    { figure: 'runtime_hours', is: 'at least', threshold: 1 },
    { figure: 'asked_cpu_hours', is: 'at least', threshold: 1 },
    { figure: 'memory_of_request', is: 'at least', threshold: 0 },
  ],
  forSeconds: 0,
  overSeconds: 7 * daySeconds,
  spare: { resource: 'cores', ofRest: 0.5, ofNode: 0.5 },
  exempt: { users: [], commands: [], accounts: [], kinds: [] },
  channels: null,
}

const reservation = {
  cpus: 2,
  memoryBytes: 8 * 2 ** 30,
  gpus: null,
  runtimeSeconds: null,
  source: 'slurm',
} as const

describe('policies over the last days', () => {
  it('count what jobs did in these days, and not in all their life', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'jobmeter-policies-'))
    const store = openNodeStore(join(folder.path, 'node.db'))
    const hours = 30 * 24
    const end = monday + hours * hourSeconds
    for (let hour = 1; hour <= hours; hour++) {
      // In its first days it used more memory, and another job was there.
      const isLate = hour > hours - 7 * 24
      const use = { cpuSeconds: hourSeconds, memoryBytes: (isLate ? 2 : 4) * 2 ** 30 }
      const jobs = [
        nodeJob('1', 'ada', { kind: 'slurm', reservation, ...use }),
        ...(isLate ? [] : [nodeJob('2', 'bob', use)]),
      ]
      const at = monday + hour * hourSeconds
      store.addRound(nodeRound(at, jobs, {}, { seconds: hourSeconds }))
    }
    const { violations } = tryPolicies(store.reader, [long], { from: 0, to: end, hosts: [] })
    store.close()
    expect(violations).toMatchObject([
      {
        subject: { user: 'ada' },
        text: 'runs for long: runtime_hours is 168 h (at least 1 h), asked_cpu_hours is 336 h (at least 1 h), memory_of_request is 25 % (at least 0 %)',
        suppressedBecause: '14 of 16 cores were free',
      },
    ])
  })
})
