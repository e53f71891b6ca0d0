import fc from 'fast-check'
import { jobKinds, type NodeDevice, type NodeJob } from '../../src/model/node-round.ts'
import type { PolicyFinding } from '../../src/model/violation.ts'
import { HistoryBatch } from '../../src/store/node/history/history-batch.ts'
import { openNodeHistory } from '../../src/store/node/history/open-history.ts'
import { openNodeStore } from '../../src/store/node/open-node.ts'
import { askedAround, askedUsers, pidOf } from '../contracts/any-node-question.ts'
import { nodeJob, nodeRound } from './made-round.ts'

/** The same every time, whatever the seed of the run. */
const sampled = <T>(any: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(any, { numRuns: count, seed: 4711 })

const orNull = <T>(any: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(any, { freq: 3 })
const amount = fc.integer({ min: 0, max: 2 ** 40 })

const anyFacts = fc.record({
  user: fc.constantFrom(...askedUsers),
  kind: fc.constantFrom(...jobKinds),
  number: fc.integer({ min: 1, max: 3 }),
  cpuSeconds: fc.double({ min: 0, max: 60, noNaN: true }),
  readBytes: orNull(amount),
  writeBytes: orNull(amount),
  gpuSeconds: orNull(fc.double({ min: 0, max: 60, noNaN: true })),
  gpus: orNull(fc.integer({ min: 0, max: 4 })),
  joules: orNull(fc.double({ min: 0, max: 1e6, noNaN: true })),
  memoryBytes: orNull(amount),
  gpuMemoryBytes: orNull(amount),
  startedAt: orNull(fc.integer({ min: askedAround - 9000, max: askedAround })),
  hasAccount: fc.boolean(),
  isReserved: fc.boolean(),
})
type Facts = typeof anyFacts extends fc.Arbitrary<infer T> ? T : never

function jobOf(facts: Facts, place: number): NodeJob {
  const { user, number, hasAccount, isReserved, ...figures } = facts
  const reservation = { cpus: 4.5, memoryBytes: 2 ** 31, gpus: number, runtimeSeconds: 3600 }
  return nodeJob(`${user}-${number}-${place}`, user, facts.cpuSeconds, {
    ...figures,
    command: `${user}-program-${number}`,
    account: hasAccount ? `${user}-account` : null,
    pid: pidOf(user),
    reservation: isReserved ? { ...reservation, source: 'slurm' } : null,
    ...(number === 3 ? { scheduled: { name: 'näme', shownId: '7_1', restarts: 1 } } : {}),
  })
}

const devices = (at: number): NodeDevice[] => [
  {
    kind: 'disk',
    name: 'sda',
    inBytes: 1000 * at,
    outBytes: null,
    busySeconds: 7.5,
    joules: null,
    memoryBytes: null,
  },
  {
    kind: 'interface',
    name: 'eth0',
    inBytes: 10,
    outBytes: 20,
    busySeconds: null,
    joules: null,
    memoryBytes: null,
  },
  // Taken away half-way.
  ...(at < 15
    ? [
        {
          kind: 'gpu' as const,
          name: '0',
          inBytes: null,
          outBytes: null,
          busySeconds: at,
          joules: 900,
          memoryBytes: 2 ** 33,
        },
      ]
    : []),
]

/**
 * Rounds of two agents, of which one was restarted; the rounds of a host that another tool looked at a month ago, and what
 * Slurm's account says; findings of policies. Of each figure there is one that nobody measured.
 */
export function fillWithAllKinds(path: string): void {
  addRounds(path)
  addImported(path)
}

function addRounds(path: string): void {
  const store = openNodeStore(path)
  const facts = sampled(anyFacts, 160)
  for (let at = 0; at < 40; at += 1) {
    const jobs = facts.slice(4 * at, 4 * at + 4).map(jobOf)
    const round = nodeRound(askedAround + 900 * (at + 1), jobs, { host: `node${at % 2}` })
    store.addRound({
      ...round,
      epoch: at < 20 ? 'first boot' : 'second boot',
      node: {
        ...round.node,
        coreSeconds: [at, 60, 0.5],
        ioWaitSeconds: at / 7,
        load: at % 5 === 0 ? null : at / 3,
        gpus: 2,
        gpuSeconds: at,
        memoryBytes: 2 ** 29 + at,
      },
      devices: devices(at),
      late: at === 39 ? [lateWord] : [],
    })
  }
  store.violations.keep({ host: 'node0', at: askedAround + 900, findings, ended: [] })
  const [over] = findings
  if (over === undefined) throw new Error('some were made')
  const ended = [{ policy: over.policy, subject: over.subject, because: 'it is over' }]
  store.violations.keep({ host: 'node0', at: askedAround + 1800, findings: [], ended })
  store.violations.keepState(
    'node0',
    askedAround + 1800,
    new Map([
      ['greedy', null],
      ['idle', 'no GPU'],
    ]),
  )
  store.close()
}

const lateWord = {
  kind: 'slurm' as const,
  id: 'ada-1-0',
  user: 'ada',
  account: 'late-account',
  reservation: null,
  scheduled: { name: 'late', shownId: null, restarts: null },
}

const finding = (user: string, suppressedBecause: string | null): PolicyFinding => ({
  policy: 'greedy',
  severity: 'warning',
  subject: {
    host: 'node0',
    user,
    account: `${user}-account`,
    job: { epoch: 'first boot', kind: 'slurm', id: `${user}-1-0`, command: `${user}-program-1` },
  },
  firstSeen: askedAround,
  lastSeen: askedAround + 900,
  heldSeconds: 900,
  text: `${user} reserves much`,
  suppressedBecause,
})
const findings = [finding('ada', null), finding('bob', null), finding('cyd', 'nobody waits')]

const monthSeconds = 30 * 86_400

function addImported(path: string): void {
  const history = openNodeHistory(path)
  const kept = {
    rawMs: (askedAround - 3600) * 1e3,
    fiveMs: (askedAround - monthSeconds + 5400) * 1e3,
  }
  const batch = new HistoryBatch(kept)
  for (let at = 1; at <= 12; at += 1)
    for (const from of [askedAround - monthSeconds, askedAround]) {
      const { node, ...round } = nodeRound(from + 900 * at, [], { host: 'old01' })
      const jobs = sampled(anyFacts, 2).map((facts, place) => ({
        ...jobOf(facts, place),
        epoch: '0',
      }))
      batch.add({ ...round, node: { ...node, load: null, cores: null }, jobs })
    }
  history.commit(batch, [])
  const reservation = { cpus: 1, memoryBytes: null, gpus: null, runtimeSeconds: null } as const
  const job = { user: 'bob', account: 'physics', name: 'counted', hosts: ['old01', 'old02'] }
  history.addSlurmJobs([
    {
      id: '77',
      ...job,
      startedAt: askedAround + 600,
      endedAt: askedAround + 9000,
      cpuSeconds: 4000,
      memoryPeakBytes: 2 ** 30,
      reservation: { ...reservation, source: 'slurm' },
    },
  ])
  history.close()
}
