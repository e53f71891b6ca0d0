import { sampleWidth } from '../synthetic/sample-width.ts'
import { sampleIndex } from '../../src/model/sample.ts'
import { makeSeriesFile } from '../../src/store/series/series-file.ts'

export interface MadeSeries {
  readonly jobs: number
  readonly samplesPerJob: number
  /** Every so many jobs have a first attempt that failed half-way. */
  readonly retryEvery: number
}

export const firstSecond = 1_760_520_600
export const intervalSeconds = 2

const names = ['preprocess_data', 'train_model', 'evaluate_model', 'align_reads', 'call_variants']

export const madeName = (index: number): string =>
  index < names.length ? (names[index] ?? '') : `${names[index % names.length]}_${index}`

export const madeTaskId = (index: number, attempt: number): string =>
  String(index * 10 + attempt - 1).padStart(32, '0')

/** A run's series file as jobmeter writes it, with jobs that load, compute and write. Always the same. */
export function makeSeries(
  outputDirectory: string,
  { jobs, samplesPerJob, retryEvery }: MadeSeries,
): string {
  const run = { ledger: 'ledger.db', host: 'node01', workflowId: 1, runId: 1 }
  const file = makeSeriesFile(outputDirectory, run)
  const noise = numbers(7)
  for (let index = 0; index < jobs; index++) {
    const jobId = index + 1
    const retried = index % retryEvery === retryEvery - 1
    const cpus = 1 + (index % 8)
    const memoryBytes = (2 + (index % 7)) * 2 ** 30
    file.addJob({
      jobId,
      jobName: madeName(index),
      taskId: madeTaskId(index, retried ? 2 : 1),
      cores: 16,
      requestedCpus: index % 11 === 10 ? null : cpus,
      requestedMemoryBytes: memoryBytes,
      requestedRuntimeSeconds: samplesPerJob * intervalSeconds * (index % 9 === 8 ? 0.8 : 1.5),
    })
    const start = firstSecond + Math.floor(index / 8) * samplesPerJob * intervalSeconds * 0.6
    const shape = { cpus, memoryBytes, index }
    if (retried) {
      const half = samples(shape, start, Math.floor(samplesPerJob / 2), samplesPerJob, noise)
      file.addAttempt({ taskId: madeTaskId(index, 1), jobId, attempt: 1, startedAt: start })
      file.writer(jobId, 1).add(half, half.length / sampleWidth)
    }
    const from = retried ? start + (samplesPerJob / 2 + 5) * intervalSeconds : start
    const all = samples(shape, from, samplesPerJob, samplesPerJob, noise)
    const attempt = retried ? 2 : 1
    file.addAttempt({ taskId: madeTaskId(index, attempt), jobId, attempt, startedAt: from })
    file.writer(jobId, attempt).add(all, samplesPerJob)
  }
  file.close()
  return file.path
}

interface Shape {
  readonly cpus: number
  readonly memoryBytes: number
  readonly index: number
}

function samples(
  { cpus, memoryBytes, index }: Shape,
  start: number,
  count: number,
  whole: number,
  noise: () => number,
): Float64Array {
  const rows = new Float64Array(count * sampleWidth).fill(Number.NaN)
  let cpuSeconds = 0
  let readBytes = 0
  let writeBytes = 0
  for (let sample = 0; sample < count; sample++) {
    const row = rows.subarray(sample * sampleWidth, (sample + 1) * sampleWidth)
    const done = sample / whole
    const phase = done < 0.15 ? 'load' : done < 0.85 ? 'compute' : 'write'
    const busy = phase === 'compute' ? cpus * (0.85 + 0.1 * noise()) : 0.3 + 0.2 * noise()
    const most = memoryBytes * (index % 5 === 4 ? 1.15 : 0.4 + 0.08 * (index % 6))
    const held = phase === 'load' ? done / 0.15 : phase === 'compute' ? 0.9 + 0.1 * noise() : 0.5
    cpuSeconds += busy * intervalSeconds
    readBytes += (phase === 'load' ? 180 : 2) * 2 ** 20 * intervalSeconds * noise()
    writeBytes += (phase === 'write' ? 120 : 1) * 2 ** 20 * intervalSeconds * noise()
    row[sampleIndex.timestamp] = start + sample * intervalSeconds
    row[sampleIndex.elapsed_seconds] = sample * intervalSeconds
    row[sampleIndex.cpu_user_seconds] = cpuSeconds * 0.9
    row[sampleIndex.cpu_system_seconds] = cpuSeconds * 0.1
    row[sampleIndex.memory_bytes] = Math.round(most * held)
    row[sampleIndex.num_processes] = phase === 'compute' ? 1 + cpus : 1
    row[sampleIndex.read_bytes] = Math.round(readBytes)
    row[sampleIndex.write_bytes] = Math.round(writeBytes)
  }
  return rows
}

/** Numbers between 0 and 1 that only look random. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
