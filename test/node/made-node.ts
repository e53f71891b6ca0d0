import type { NodeJob, NodeRound, NodeUse } from '../../src/model/node-round.ts'
import { openNodeStore } from '../../src/store/node/open-node.ts'

/** Two weeks of two hosts, the same every time. Monday, 23 March 2026, in UTC; clocks in Europe go forward on the 29th. */
export const madeFrom = Date.UTC(2026, 2, 23) / 1000
const days = 14
const spanSeconds = 1800
const gib = 2 ** 30

interface MadeHost {
  readonly host: string
  readonly cores: number
  readonly memoryBytes: number
  readonly gpus: number
  /** In hours since the beginning; whether the host is started anew in it. */
  readonly gap: { readonly from: number; readonly to: number; readonly reboots: boolean }
}

const hosts: readonly MadeHost[] = [
  {
    host: 'node01',
    cores: 16,
    memoryBytes: 64 * gib,
    gpus: 0,
    gap: { from: 50, to: 53, reboots: false },
  },
  {
    host: 'gpu01',
    cores: 32,
    memoryBytes: 256 * gib,
    gpus: 2,
    gap: { from: 75, to: 76.5, reboots: true },
  },
]

/** Runs of one program on 2, 4 and 8 cores: a tenth of it is serial. Hours since the beginning. */
const solverRuns = [
  { id: '4801', cpus: 2, from: 0, to: 22 },
  { id: '4802', cpus: 4, from: 24, to: 37 },
  { id: '4803', cpus: 8, from: 96, to: 104.5 },
]

/** Park and Miller's numbers, from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

type Made = Partial<NodeJob> & Pick<NodeJob, 'kind' | 'id' | 'user' | 'command' | 'cpuSeconds'>

const job = (made: Made): NodeJob => ({
  account: null,
  startedAt: null,
  reservation: null,
  gpus: null,
  pid: 100,
  readBytes: 0,
  writeBytes: 0,
  gpuSeconds: null,
  joules: null,
  memoryBytes: 0,
  gpuMemoryBytes: null,
  processes: 1,
  threads: 1,
  zombies: 0,
  ...made,
})

const asked = (cpus: number, memoryBytes: number, gpus: number | null, hours: number) =>
  ({ cpus, memoryBytes, gpus, runtimeSeconds: hours * 3600, source: 'slurm' }) as const

/** What runs on a host in the half hour that ends so many hours after the beginning. */
function jobsOf({ host, gap }: MadeHost, hour: number, noise: number): NodeJob[] {
  const began = hour - spanSeconds / 3600
  const [day, clock] = [Math.floor(began / 24), began % 24]
  const isWorkday = day % 7 < 5
  const cpu = (cores: number): number => Math.round(cores * spanSeconds * (0.9 + 0.1 * noise))
  const rest = job({
    kind: 'unattributed',
    id: '',
    user: 'unattributed',
    command: 'unattributed',
    cpuSeconds: cpu(0.05),
    pid: null,
    gpuSeconds: host === 'gpu01' ? 0 : null,
    startedAt: gap.reboots && began >= gap.to ? madeFrom + (gap.to - 0.5) * 3600 : null,
  })
  if (host === 'gpu01') {
    if (!isWorkday || clock < 8 || clock >= 12) return [rest]
    const training = job({
      kind: 'slurm',
      id: String(4700 + day),
      user: 'ada',
      account: 'ml',
      command: 'python3',
      startedAt: madeFrom + day * 86_400 + 8 * 3600,
      reservation: asked(16, 64 * gib, 2, 12),
      gpus: 1,
      cpuSeconds: cpu(6),
      memoryBytes: Math.round((18 + 2 * noise) * gib),
      gpuSeconds: Math.round(spanSeconds * 0.7),
      gpuMemoryBytes: 30 * gib,
      joules: 300 * spanSeconds,
      threads: 40,
    })
    return [rest, training]
  }
  const found = [rest]
  if (clock >= 22)
    found.push(
      job({
        kind: 'session',
        id: `${2000 + day}-77`,
        user: 'bob',
        command: 'Rscript',
        cpuSeconds: cpu(12),
        memoryBytes: 30 * gib,
        readBytes: 5 * gib,
        writeBytes: gib,
        pid: 2000 + day,
      }),
    )
  if (isWorkday && clock >= 9 && clock < 17)
    found.push(
      job({
        kind: 'session',
        id: `${3000 + day}-78`,
        user: 'eve',
        command: 'jupyter-lab',
        cpuSeconds: cpu(0.1),
        memoryBytes: 3 * gib,
        pid: 3000 + day,
      }),
    )
  for (const { id, cpus, from, to } of solverRuns)
    if (began >= from && began < to)
      found.push(
        job({
          kind: 'slurm',
          id,
          user: 'carol',
          account: 'cfd',
          command: 'solver',
          startedAt: madeFrom + from * 3600,
          reservation: asked(cpus, 16 * gib, null, 24),
          cpuSeconds: cpu(began - from < 0.1 * (to - from) ? 1 : cpus),
          memoryBytes: 2 * gib,
          threads: cpus,
        }),
      )
  return found
}

const sumOf = (jobs: readonly NodeJob[], pick: (one: NodeJob) => number | null): number =>
  jobs.reduce((sum, one) => sum + (pick(one) ?? 0), 0)

function nodeUse(made: MadeHost, jobs: readonly NodeJob[]): NodeUse {
  return {
    ...job({ kind: 'unattributed', id: '', user: '', command: '', cpuSeconds: 0 }),
    cores: made.cores,
    memoryTotalBytes: made.memoryBytes,
    swapUsedBytes: 0,
    gpus: made.gpus,
    gpuMemoryTotalBytes: made.gpus * 80 * gib,
    load: 1,
    ioWaitSeconds: 0,
    netReceivedBytes: 0,
    netSentBytes: 0,
    coreSeconds: [],
    cpuSeconds: sumOf(jobs, (one) => one.cpuSeconds),
    memoryBytes: sumOf(jobs, (one) => one.memoryBytes),
    gpuSeconds: made.gpus === 0 ? null : sumOf(jobs, (one) => one.gpuSeconds),
  }
}

/** Every round that there is, in the order of time. */
export function madeRounds(): NodeRound[] {
  const next = numbers(4711)
  const rounds: NodeRound[] = []
  for (let hour = spanSeconds / 3600; hour <= 24 * days; hour += spanSeconds / 3600)
    for (const made of hosts) {
      const { from, to, reboots } = made.gap
      const jobs = jobsOf(made, hour, next())
      if (hour > from && hour <= to) continue
      rounds.push({
        host: made.host,
        epoch: reboots && hour > to ? 'second boot' : 'first boot',
        at: madeFrom + hour * 3600,
        seconds: spanSeconds,
        lostRecords: 0,
        jobs,
        node: nodeUse(made, jobs),
      })
    }
  return rounds
}

export function makeNode(path: string): void {
  const store = openNodeStore(path)
  for (const round of madeRounds()) store.addRound(round)
  store.close()
}
