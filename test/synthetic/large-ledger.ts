import { measured, unmeasured, type Measured } from '../../src/model/measured.ts'
import type { OutcomeStatus } from '../../src/model/outcome.ts'
import { emptyUsage, type Usage, type UsageKey } from '../../src/model/usage.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import type { AttemptEnd } from '../../src/store/ledger/store.ts'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import { someStart } from '../contracts/attempts.ts'
import { someJob, someRun, someWorkflow } from '../contracts/workflows.ts'
import { generator, type Random } from './series.ts'

/** How many records of which kind a made-up ledger has: `commands`, and `jobs` times `runs`. */
export interface LedgerSize {
  /** Single commands, all called `sweep`; the even ones are tagged `v1`, the odd ones `v2`. */
  readonly commands: number
  /** Jobs of one workflow. */
  readonly jobs: number
  /** How often the workflow ran, whole. */
  readonly runs: number
}

const tools = ['python3', 'make', 'bash', 'rsync', 'ffmpeg', 'gcc', 'samtools', 'julia', 'tar']
const firstStart = 1_700_000_000
const recordsPerCommit = 5_000

/** Fills a ledger with records such as real jobs leave; the same ones every time. */
export function fillLedger(path: string, size: LedgerSize): void {
  const ledger = openSqliteLedger(path)
  const random = generator(20_261_115)
  inBatches(ledger, size.commands, (index) => addCommand(ledger, index, random))
  if (size.jobs > 0) addWorkflow(ledger, size, random)
  ledger.close()
}

function addCommand(ledger: Ledger, index: number, random: Random): void {
  const tool = tools[Math.floor(random() * tools.length)] ?? ''
  const startedAt = firstStart + index
  const start = someStart(taskId(index, random), {
    job: {
      name: 'sweep',
      tool,
      tags: ['nightly', index % 2 === 0 ? 'v1' : 'v2'],
      command: [tool, 'run.py', '--rate', String(random())],
    },
    startedAt,
  })
  ledger.jobs.finish(ledger.jobs.begin(start), someEndOf(startedAt, random))
}

function addWorkflow(ledger: Ledger, { jobs, runs }: LedgerSize, random: Random): void {
  const requirements = { cpus: 4, memoryBytes: 2 ** 32, gpus: null, runtimeSeconds: 3600 }
  const names = Array.from({ length: jobs }, (_, index) =>
    someJob(`part_${index}`, { requirements }),
  )
  const workflowId = ledger.workflows.createWorkflow(someWorkflow(names))
  const stored = ledger.workflows.findWorkflow(workflowId)?.jobs ?? []
  for (let run = 1; run <= runs; run += 1) {
    const startedAt = firstStart + run * 1e6
    const runId = ledger.workflows.beginRun(workflowId, { ...someRun, startedAt })
    inBatches(ledger, jobs, (index) => {
      const { jobId, job } = stored[index] ?? { jobId: 0, job: { name: '' } }
      const tool = tools[index % tools.length] ?? ''
      const start = someStart(taskId(index, random), {
        job: { name: job.name, tool, tags: [], requirements },
        startedAt: startedAt + index,
      })
      const place = { jobId, workflowId, runId, attempt: run }
      const ref = ledger.workflows.beginAttempt(place, start)
      ledger.jobs.finish(ref, someEndOf(startedAt + index, random))
    })
    ledger.workflows.endRun(workflowId, runId, startedAt + jobs)
  }
}

function inBatches(ledger: Ledger, count: number, add: (index: number) => void): void {
  for (let from = 0; from < count; from += recordsPerCommit)
    ledger.batch(() => {
      for (let index = from; index < Math.min(count, from + recordsPerCommit); index += 1)
        add(index)
    })
}

const hex = (random: Random): string =>
  Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')

const taskId = (index: number, random: Random): string =>
  `${hex(random)}${hex(random)}${hex(random)}${index.toString(16).padStart(8, '0')}`

function someEndOf(startedAt: number, random: Random): AttemptEnd {
  const durationSeconds = 5 * Math.exp(3 * random())
  const status: OutcomeStatus = random() < 0.95 ? 'success' : 'failed'
  const exitCode = status === 'success' ? 0 : 1
  return {
    endedAt: startedAt + durationSeconds,
    durationSeconds,
    outcome: { status, exitCode, signal: null, reason: null, stragglers: [] },
    usage: someUsage(durationSeconds, random),
    samples: { collected: 0, intervalSeconds: 1, late: 0, ownCpuSeconds: 0.01 * random() },
  }
}

/** As long as a real one: its figures by some twenty ways of measuring, and what is missing with the reason. */
function someUsage(durationSeconds: number, random: Random): Usage {
  const cpuSeconds = durationSeconds * (0.5 + random())
  const peakBytes = Math.floor(2 ** (20 + 8 * random()))
  const readBytes = 4096 * Math.floor(1e4 * random())
  const percent = (100 * cpuSeconds) / durationSeconds
  const figures = new Map<string, readonly (readonly [UsageKey, number])[]>([
    [
      'cgroup v1 cpuacct.usage, confirmed by wait4',
      [
        ['cpuUserSeconds', 0.9 * cpuSeconds],
        ['cpuSystemSeconds', 0.1 * cpuSeconds],
        ['cpuTotalSeconds', cpuSeconds],
      ],
    ],
    [
      "cgroup v1 cpuacct.usage, confirmed by wait4, over the job's duration",
      [['cpuPercentMean', percent]],
    ],
    ['highest mean over 1 s or more', [['cpuPercentPeak', 1.3 * percent]]],
    ['windows of 1 s or more', [['cpuPercentP95', 1.2 * percent]]],
    ['high-water mark of a process (VmHWM)', [['memoryPeakBytes', peakBytes]]],
    [
      'looks over time, shared pages counted once',
      [
        ['memoryMeanBytes', 0.71 * peakBytes],
        ['memoryMinBytes', 716_800],
      ],
    ],
    ['sum of resident sizes at the looks', [['rssSumPeakBytes', 2 * peakBytes]]],
    ['largest process: looks, VmHWM and wait4', [['largestProcessPeakBytes', peakBytes]]],
    ['the machine has no swap', [['swapPeakBytes', 0]]],
    [
      'cgroup v1 memory.max_usage_in_bytes, page cache included',
      [['cgroupMemoryPeakBytes', peakBytes + readBytes]],
    ],
    [
      '/proc/PID/io of all processes, dead ones included',
      [
        ['readBytes', readBytes],
        ['writeBytes', 4096 * Math.floor(1e3 * random())],
        ['readChars', 3 * readBytes],
        ['writeChars', readBytes],
        ['readCalls', 1 + readBytes / 4096],
        ['writeCalls', 12],
      ],
    ],
    [
      'cgroup v2 cpu.pressure, memory.pressure, io.pressure, since the job joined it',
      [
        ['cpuPressureSeconds', 0.01 * cpuSeconds],
        ['memoryPressureSeconds', 0],
        ['ioPressureSeconds', 0.02 * durationSeconds],
      ],
    ],
    [
      'kernel accounting at exit (wait4)',
      [
        ['minorFaults', peakBytes / 4096],
        ['majorFaults', 1],
        ['voluntarySwitches', 70],
        ['involuntarySwitches', 7],
      ],
    ],
    [
      'most at one look',
      [
        ['processesPeak', 2],
        ['threadsPeak', 9],
      ],
    ],
    [
      '/proc/stat over the whole job',
      [
        ['machineCpuPercentMean', 99.35 * random()],
        ['machineIoWaitPercentMean', random()],
      ],
    ],
    ['/proc/meminfo: total minus available', [['machineMemoryMeanBytes', 5.7e8 * random()]]],
    [
      '/proc/meminfo at the looks',
      [
        ['machineMemoryMaxBytes', 572_899_328],
        ['machineMemoryMinBytes', 556_965_888],
      ],
    ],
    ['/proc/pressure/cpu', [['machineCpuPressureSeconds', random()]]],
    ['/proc/pressure/memory', [['machineMemoryPressureSeconds', 0]]],
    ['/proc/pressure/io', [['machineIoPressureSeconds', random()]]],
    [
      '/proc/diskstats, whole disks',
      [
        ['machineDiskReadBytes', readBytes],
        ['machineDiskWriteBytes', 262_144],
      ],
    ],
    [
      '/proc/net/dev without loopback',
      [
        ['machineNetReceivedBytes', 0],
        ['machineNetSentBytes', 0],
      ],
    ],
  ])
  const known: Partial<Record<UsageKey, Measured>> = {}
  for (const [basis, list] of figures)
    for (const [key, value] of list) known[key] = measured(value, basis)
  return {
    ...emptyUsage(
      'the kernel has delay accounting off; sysctl kernel.task_delayacct=1 turns it on',
    ),
    ...known,
    processesStarted: unmeasured(
      'at least 2; processes that started and ended between looks are not counted',
    ),
  }
}
