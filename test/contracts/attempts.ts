import type { Job } from '../../src/model/job.ts'
import { measured } from '../../src/model/measured.ts'
import type { JobRecord } from '../../src/model/record.ts'
import { sampleWidth } from '../synthetic/sample-width.ts'
import { sampleColumns, sampleIndex, type SampleColumn } from '../../src/model/sample.ts'
import { emptyUsage } from '../../src/model/usage.ts'
import type { AttemptEnd, AttemptRef, AttemptStart } from '../../src/store/ledger/store.ts'

const job: Job = {
  name: 'train',
  tool: 'python3',
  script: 'train.py',
  params: { rate: 0.1, layers: [3, 4] },
  tags: ['nightly'],
  command: ['python3', 'train.py', '--rate', '0.1'],
  workingDirectory: '/home/ada',
  requirements: { cpus: 2, memoryBytes: 4_294_967_296, gpus: null, runtimeSeconds: 3600 },
}

interface Differences extends Partial<Omit<AttemptStart, 'job'>> {
  readonly job?: Partial<Job>
}

/** An attempt about to run, plain but for what a test names. */
export function someStart(taskId: string, differences: Differences = {}): AttemptStart {
  return {
    user: 'ada',
    machine: { host: 'node01', cores: 8, memoryBytes: 16_000_000_000 },
    owner: { host: 'node01', bootId: 'b0', pid: 4242, startTicks: 99 },
    startedAt: 1_700_000_000,
    intervalSeconds: 1,
    ...differences,
    taskId,
    job: { ...job, ...differences.job },
  }
}

export function someEnd(differences: Partial<AttemptEnd> = {}): AttemptEnd {
  return {
    endedAt: 1_700_000_012.5,
    durationSeconds: 12.5,
    outcome: { status: 'success', exitCode: 0, signal: null, reason: null, stragglers: [] },
    usage: { ...emptyUsage('not in this test'), cpuTotalSeconds: measured(3.25, 'cgroup') },
    samples: { collected: 2, intervalSeconds: 1, late: 0, ownCpuSeconds: 0.01 },
    ...differences,
  }
}

/** Samples one second apart in which every column is a number of its own, but for those given. */
export function someSamples(
  count: number,
  figures: Partial<Record<SampleColumn, readonly number[]>> = {},
): Float64Array {
  const rows = new Float64Array(count * sampleWidth)
  for (let row = 0; row < count; row++) {
    for (const { name } of sampleColumns) {
      const usual = name === 'elapsed_seconds' ? row : row * 1000 + sampleIndex[name] + 0.5
      rows[row * sampleWidth + sampleIndex[name]] = figures[name]?.[row] ?? usual
    }
  }
  return rows
}

/** The record that the ledger must answer with once the attempt has ended. */
export function recordWithEnd(start: AttemptStart, ref: AttemptRef, end: AttemptEnd): JobRecord {
  return {
    ...start.job,
    ...end.outcome,
    taskId: start.taskId,
    jobId: ref.jobId,
    attempt: 1,
    user: start.user,
    machine: start.machine,
    owner: start.owner,
    startedAt: start.startedAt,
    endedAt: end.endedAt,
    durationSeconds: end.durationSeconds,
    usage: end.usage,
    samples: end.samples,
  }
}
