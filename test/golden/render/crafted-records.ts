import { noRequirements } from '../../../src/model/job.ts'
import { measured } from '../../../src/model/measured.ts'
import type { JobRecord } from '../../../src/model/record.ts'
import { emptyUsage, type Usage, type UsageKey } from '../../../src/model/usage.ts'

const MB = 2 ** 20

/** A usage with these figures measured and nothing else. */
export function usageOf(figures: Partial<Record<UsageKey, number>>, basis = 'cgroup'): Usage {
  const known = Object.entries(figures).map(([key, value]) => [key, measured(value, basis)])
  const some = Object.fromEntries(known) as Partial<Usage>
  return { ...emptyUsage('this kernel does not count it'), ...some }
}

/** The first job of the documented job history. */
export const poisson: JobRecord = {
  taskId: '3f8a21b2c4d5e6f7a8b9c0d1e2f3a4b5',
  jobId: 41,
  attempt: 1,
  name: 'poisson',
  tool: 'fenicsx',
  script: 'poisson.py',
  params: { mesh_size: 64, iterations: 1000 },
  tags: ['nightly'],
  command: ['fenicsx', 'poisson.py', '--mesh', '64 by 64'],
  workingDirectory: '/home/ada/poisson',
  requirements: { ...noRequirements, cpus: 1, memoryBytes: 4096 * MB },
  user: 'ada',
  machine: { host: 'node-7', cores: 8, memoryBytes: 32768 * MB },
  owner: { host: 'node-7', bootId: 'b1', pid: 900, startTicks: 1 },
  startedAt: Date.UTC(2025, 9, 15, 10, 30) / 1000,
  endedAt: Date.UTC(2025, 9, 15, 10, 35, 30) / 1000 + 0.123456,
  durationSeconds: 330.12,
  status: 'success',
  exitCode: 0,
  signal: null,
  reason: null,
  stragglers: [],
  usage: usageOf({
    cpuUserSeconds: 285.45,
    cpuSystemSeconds: 12.34,
    cpuTotalSeconds: 297.79,
    cpuPercentMean: 90.206,
    cpuPercentPeak: 100,
    cpuPercentP95: 99.5,
    memoryPeakBytes: Math.round(2048.56 * MB),
    memoryMeanBytes: Math.round(1500.25 * MB),
    memoryMinBytes: 12 * MB,
    readBytes: Math.round(128.5 * MB),
    writeBytes: Math.round(64.25 * MB),
    readCalls: 1024,
    writeCalls: 512,
    ioPressureSeconds: 3.3,
    processesPeak: 3,
    threadsPeak: 11,
    processesStarted: 14,
    machineCpuPercentMean: 45.2,
    machineCpuPercentMax: 87.3,
    machineCpuPercentMin: 12.1,
  }),
  samples: { collected: 336, intervalSeconds: 1, late: 0, ownCpuSeconds: 0.21 },
}

/** The second one, which failed. */
export const lammps: JobRecord = {
  ...poisson,
  taskId: '7b9e3f1a8c2d00112233445566778899',
  jobId: 40,
  name: 'example',
  tool: 'lammps',
  script: 'example.lammps',
  params: {},
  command: ['lammps', 'example.lammps'],
  startedAt: Date.UTC(2025, 9, 15, 10, 25) / 1000,
  endedAt: Date.UTC(2025, 9, 15, 10, 25, 45) / 1000 + 0.67,
  durationSeconds: 45.67,
  status: 'failed',
  exitCode: 1,
  reason: 'Simulation failed with non-zero exit code...',
  usage: usageOf({
    cpuUserSeconds: 40.12,
    cpuSystemSeconds: 2.21,
    cpuTotalSeconds: 42.33,
    memoryPeakBytes: Math.round(512.34 * MB),
  }),
}

/** One that still runs, of which nothing is known yet. */
export const running: JobRecord = {
  ...poisson,
  taskId: 'aaaabbbbccccddddeeeeffff00001111',
  jobId: 42,
  script: null,
  startedAt: Date.UTC(2025, 9, 15, 10, 40) / 1000,
  endedAt: null,
  durationSeconds: null,
  status: 'running',
  exitCode: null,
  usage: emptyUsage('it still runs'),
}
