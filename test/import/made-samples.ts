/** Samples of made-up nodes in Sonar's formats, the same for the same seed. */

/** Numbers from 0 to 1 that look random (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface MadeProcess {
  readonly pid: number
  readonly ppid: number
  readonly cmd: string
  cpu: number
  kib: number
}

export interface MadeJob {
  readonly job: number
  readonly epoch: number
  readonly user: string
  readonly processes: MadeProcess[]
}

export interface MadeSample {
  readonly host: string
  readonly at: number
  readonly cores: readonly number[]
  readonly jobs: readonly MadeJob[]
}

export interface MadeNodes {
  readonly hosts: number
  readonly users: readonly string[]
  readonly commands: readonly string[]
  readonly startSeconds: number
  readonly intervalSeconds: number
  readonly samples: number
  readonly jobs: number
  readonly seed: number
}

const coreCount = 8

/** The samples of one node in the order of time. Jobs come and go, and so do their children. */
export function* madeSamples(made: MadeNodes, index: number): Generator<MadeSample> {
  const random = randomOf(made.seed * 1000 + index)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const cores = Array.from({ length: coreCount }, () => 0)
  let nextPid = 100
  const process = (ppid: number): MadeProcess => ({
    pid: nextPid++,
    ppid,
    cmd: pick(made.commands),
    cpu: 0,
    kib: Math.floor(random() * 1e6),
  })
  const begin = (): MadeJob => {
    const leader = process(1)
    const isSlurm = random() < 0.5
    return {
      job: isSlurm ? 1e6 + index * 1e5 + nextPid : leader.pid,
      epoch: isSlurm ? 0 : 42,
      user: pick(made.users),
      processes: [leader, process(leader.pid)],
    }
  }
  let jobs = Array.from({ length: made.jobs }, begin)
  for (let at = 1; at <= made.samples; at++) {
    for (const job of jobs) {
      for (const one of job.processes) {
        const used = Math.floor(random() * made.intervalSeconds)
        one.cpu += used
        cores[at % coreCount] = (cores[at % coreCount] ?? 0) + used
      }
      const [leader, child] = job.processes
      // A child that ends hands all that it used to its parent.
      if (leader !== undefined && child !== undefined && random() < 0.05) {
        leader.cpu += child.cpu
        job.processes.splice(1, 1, process(leader.pid))
      }
    }
    jobs = jobs.map((job) => (random() < 0.02 ? begin() : job))
    yield {
      host: `node${String(index).padStart(2, '0')}`,
      at: made.startSeconds + at * made.intervalSeconds,
      cores: [...cores],
      // As they are now: they go on changing.
      jobs: jobs.map((job) => ({ ...job, processes: job.processes.map((one) => ({ ...one })) })),
    }
  }
}

export const isoTime = (seconds: number): string =>
  new Date(seconds * 1e3).toISOString().replace('.000Z', 'Z')

export const sampleJson = ({ host, at, cores, jobs }: MadeSample): string =>
  JSON.stringify({
    meta: { producer: 'sonar', version: '0.16.0', format: 0 },
    data: {
      type: 'sample',
      attributes: {
        time: isoTime(at),
        cluster: 'made.example.org',
        node: host,
        system: { cpus: cores, used_memory: 4_000_000, load1: 1.5 },
        jobs: jobs.map(({ job, epoch, user, processes }) => ({
          job,
          user,
          epoch,
          processes: processes.map(({ pid, ppid, cmd, cpu, kib }) => ({
            resident_memory: kib,
            cmd,
            pid,
            ppid,
            ...(cpu === 0 ? {} : { cpu_time: cpu }),
          })),
        })),
      },
    },
  })

const quoted = (cell: string): string =>
  /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

export const sampleCsv = ({ host, at, jobs }: MadeSample): string[] =>
  jobs.flatMap(({ job, user, processes }) =>
    processes.map(({ pid, ppid, cmd, cpu, kib }) =>
      [
        'v=0.11.0',
        `time=${isoTime(at)}`,
        `host=${host}`,
        `user=${user}`,
        `cmd=${cmd}`,
        `job=${job}`,
        `pid=${pid}`,
        `ppid=${ppid}`,
        `rssanonkib=${kib}`,
        `cputime_sec=${cpu}`,
      ]
        .map(quoted)
        .join(','),
    ),
  )
