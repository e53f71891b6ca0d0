import type { NodeDevice } from '../../src/model/node-round.ts'
import { openAlerts } from '../../src/store/alerts/open-alerts.ts'
import { openNodeStore } from '../../src/store/node/open-node.ts'
import { nodeJob, nodeRound } from '../node/made-round.ts'

const gib = 2 ** 30

const device = (kind: NodeDevice['kind'], name: string, more: Partial<NodeDevice>): NodeDevice => ({
  kind,
  name,
  inBytes: null,
  outBytes: null,
  busySeconds: null,
  joules: null,
  memoryBytes: null,
  ...more,
})

/** What agents kept of two nodes, one of them with GPUs, until ten seconds ago. */
export function makeNodes(path: string, now: number): void {
  const store = openNodeStore(path)
  for (const host of ['gpu01', 'node02'])
    for (const ago of [70, 10]) {
      const round = nodeRound(now - ago, [nodeJob('7-1', 'ada', 90)], { host })
      store.addRound({
        ...round,
        node: {
          ...round.node,
          memoryBytes: gib / 2,
          ioWaitSeconds: 6,
          gpus: host === 'gpu01' ? 2 : 0,
          processes: 120,
          threads: 400,
        },
        devices: [
          device('disk', 'sda', { inBytes: 60e6, outBytes: 6e6 }),
          device('interface', 'eth0', { inBytes: 120e6, outBytes: 12e6 }),
          ...(host === 'gpu01' ? gpus : []),
        ],
      })
    }
  store.violations.keep({
    host: 'gpu01',
    at: now - 10,
    ended: [],
    findings: [
      {
        policy: 'ml-cpuhog',
        severity: 'warning',
        subject: {
          host: 'gpu01',
          user: 'ada',
          account: null,
          job: { epoch: 'first boot', kind: 'session', id: '7-1', command: 'python3' },
        },
        firstSeen: now - 600,
        lastSeen: now - 10,
        heldSeconds: 600,
        text: 'it uses the CPUs of others',
        suppressedBecause: null,
      },
    ],
  })
  store.close()
}

const gpus = [
  device('gpu', 'nvidia 0 H200', { busySeconds: 45, joules: 18_000, memoryBytes: 20 * gib }),
  device('gpu', 'nvidia 1 H200', { busySeconds: 0, joules: 6_000, memoryBytes: gib }),
]

/** Two alerts of one rule that fire, and one that is over. */
export function makeAlerts(path: string, now: number): void {
  const store = openAlerts(path)
  for (const key of ['a', 'b', 'over']) {
    const subject = { host: 'gpu01', job: key, taskId: key, gpu: null }
    const facts = { rule: 'stuck', severity: 'warning', subject, metric: 'cpu_percent' } as const
    const notice = { ...facts, text: 'no CPU time', value: 0, threshold: 1, at: now - 60 }
    store.fire(key, key, notice, null, [])
    if (key === 'over') store.resolve(key, { ...notice, text: 'it works again' }, key, [])
  }
  store.close()
}
