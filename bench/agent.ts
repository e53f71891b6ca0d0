import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { sandbox } from '../test/program.ts'
import type { NodeDevice } from '../src/model/node-round.ts'
import { openNodeStore } from '../src/store/node/open-node.ts'
import { prepare, program } from './outside.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * What the agent costs beside 1,000 processes in 100 process groups: CPU per round, from the third round on, and memory.
 * At 60 s it is a second's rounds, and sixty of the wakings in between, that are told. And what a day takes on disk.
 */
const groups = 100
const inGroup = 10
const lifeMs = 600_000
const measured = Number(process.env['JOBMETER_ROUNDS'] ?? 20)

prepare()
using box = sandbox()

/** Every other group is a Slurm job, told by its environment. */
const load = Array.from({ length: groups }, (_, at) =>
  spawn(program('idle-children'), [String(inGroup - 1), String(lifeMs), '-'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: at % 2 === 0 ? process.env : { ...process.env, SLURM_JOB_ID: String(at) },
  }),
)
writeStandIn()

/** A command that answers for them in the place of Slurm's. */
function writeStandIn(): void {
  const columns = [20, 20, 20, 20, 20, 20, 100, 20, 40, 400]
  const line = (text: string): string =>
    text
      .split(' ')
      .map((cell, at) => cell.padEnd(columns[at] ?? 0))
      .join('')
  const uid = process.getuid?.() ?? 0
  const rows = load.map((_, at) =>
    line(`${at} ${at} N/A N/A N/A ${uid} physics 0 10:00 cpu=1,mem=1G,node=1,billing=1`),
  )
  const heading =
    'JOBID ARRAY_JOB_ID ARRAY_TASK_ID HET_JOB_ID HET_JOB_OFFSET UID ACCOUNT RESTART_COUNT TIME_LIMIT TRES_ALLOC'
  writeFileSync(box.path('jobs'), `${[line(heading), ...rows].join('\n')}\n`)
  const script = `#!/bin/sh\necho >>${box.path('asked')}\nexec cat ${box.path('jobs')}\n`
  writeFileSync(box.path('squeue'), script, { mode: 0o755 })
}

await Promise.all(load.map((child) => once(child.stdout, 'data')))

function cpuSeconds(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1e9
}

const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024

/** The first rounds are quick ones, for V8 compiles what runs often: an agent has done that within its first hour. */
const warmUp = 100

async function watch(intervalSeconds: number, rounds: number) {
  const [db, config] = [box.path(`node-${intervalSeconds}.db`), box.path('agent.yaml')]
  const slurm = `slurm: { bin: ${box.directory} }\n`
  writeFileSync(config, `interval: 0.1s\n${slurm}`)
  const args = ['agent', '--verbose', '--config', config, '--db', db]
  const agent = box.start(args, { timeoutMs: 600_000 })
  await agent.saw(`round ${warmUp}:`)
  writeFileSync(config, `interval: ${intervalSeconds}s\n${slurm}`)
  agent.signal('SIGHUP')
  await agent.saw('read again')
  const first = rowsIn(db)
  await agent.saw(`round ${first + 1}:`)
  await sleep(100)
  const begun = { cpu: cpuSeconds(agent.pid), at: performance.now() }
  await agent.saw(`round ${first + 1 + rounds}:`)
  // The rest of the last round, such as its telling.
  await sleep(100)
  const cpu = cpuSeconds(agent.pid) - begun.cpu
  const seconds = (performance.now() - begun.at) / 1000
  const megabytes = peakMegabytes(agent.pid)
  agent.signal('SIGTERM')
  await agent.ended
  return { perRound: cpu / rounds, percent: (100 * cpu) / seconds, megabytes }
}

function rowsIn(db: string): number {
  using database = new DatabaseSync(db, { readOnly: true })
  return Number(database.prepare('SELECT max(number) AS last FROM round').get()?.['last'])
}

/** A day of rounds of as many jobs, each doing something in every round. */
function nodeDay(kept: 'all' | 'rolled up' = 'all'): number {
  const path = box.path(`day-${kept}.db`)
  const store = openNodeStore(path)
  const start = 1_772_409_600
  const use = { readBytes: 123_456, writeBytes: 234_567, gpuSeconds: null, joules: null }
  const levels = { gpuMemoryBytes: null, processes: 10, threads: 20, zombies: 0 }
  for (let minute = 1; minute <= 1440; minute++) {
    const jobs = Array.from({ length: groups }, (_, at) => ({
      ...use,
      ...levels,
      kind: 'session' as const,
      id: `${at}`,
      user: `user${at % 10}`,
      account: null,
      command: `command${at % 20}`,
      startedAt: start,
      reservation: null,
      gpus: null,
      pid: at,
      cpuSeconds: ((minute * 7 + at * 13) % 600) / 10,
      memoryBytes: 1e9 + minute * 4096 * at,
    }))
    const [first] = jobs
    if (first === undefined) throw new Error('no jobs')
    const node = {
      ...first,
      cores: 64,
      memoryTotalBytes: 256e9,
      swapUsedBytes: 0,
      gpus: 0,
      gpuMemoryTotalBytes: null,
      load: 3,
      ioWaitSeconds: 1,
      netReceivedBytes: 1e6,
      netSentBytes: 1e6,
      coreSeconds: Array.from({ length: 64 }, (_, at) => at / 2),
    }
    const at = start + minute * 60
    const round = { host: 'n', epoch: 'b', at, seconds: 60, node, jobs, lostRecords: 0 }
    store.addRound({ ...round, devices: devicesOf(minute) })
  }
  if (kept === 'rolled up') {
    store.keepOnly({ rawDays: 1, fiveMinuteDays: 90, hourDays: 730 }, start + 3 * 86_400)
  }
  store.close()
  using database = new DatabaseSync(path)
  database.exec('VACUUM')
  return statSync(path).size / 1e6
}

/** Four disks, two interfaces and eight GPUs, all busy. */
function devicesOf(minute: number): NodeDevice[] {
  const none = { inBytes: null, outBytes: null, busySeconds: null, joules: null, memoryBytes: null }
  const bytes = { inBytes: minute * 12_345, outBytes: minute * 23_456 }
  const busy = { busySeconds: minute % 60, joules: 6000 + minute, memoryBytes: 1e10 + minute }
  return [
    ...['sda', 'sdb', 'sdc', 'sdd'].map((name) => ({
      kind: 'disk' as const,
      name,
      ...none,
      ...bytes,
    })),
    ...['eth0', 'ib0'].map((name) => ({ kind: 'interface' as const, name, ...none, ...bytes })),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((card) => ({
      kind: 'gpu' as const,
      name: `nvidia ${card} H200`,
      ...none,
      ...busy,
    })),
  ]
}

const startedEver = (): number =>
  Number(/^processes (\d+)/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1])

try {
  const before = { started: startedEver(), at: performance.now() }
  const everySecond = await watch(1, measured)
  const everyTen = await watch(10, 3)
  // Nine of the ten seconds are wakings without a round.
  const perWaking = Math.max(0, (everyTen.perRound - everySecond.perRound) / 9)
  const atSixty = (100 * (everySecond.perRound + 59 * perWaking)) / 60
  printTable([
    ['interval', '% of a core', 'ms a round', 'peak MB'],
    [
      '1 s',
      rounded(everySecond.percent),
      rounded(everySecond.perRound * 1e3),
      rounded(everySecond.megabytes),
    ],
    [
      '10 s',
      rounded(everyTen.percent),
      rounded(everyTen.perRound * 1e3),
      rounded(everyTen.megabytes),
    ],
    ['60 s (from these)', rounded(atSixty), '', ''],
  ])
  const aSecond = (1e3 * (startedEver() - before.started)) / (performance.now() - before.at)
  console.log(`meanwhile ${rounded(aSecond)} other processes began, and ended, each second`)
  const asked = readFileSync(box.path('asked'), 'latin1').length
  console.log(`Slurm was asked ${asked} times for ${groups / 2} jobs by two agents`)
  const megabytes = nodeDay()
  console.log(
    `on disk: ${rounded(megabytes)} MB a node-day of ${groups} jobs and 14 devices at 60 s, of which ${rounded(megabytes - nodeDay('rolled up'))} MB are single rounds`,
  )
  verdict('CPU at 60 s', atSixty, 0.1, '%')
  verdict('memory', Math.max(everySecond.megabytes, everyTen.megabytes), 90, 'MB')
} finally {
  for (const { pid } of load) if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}
