import type { JobRecord } from '../../src/model/record.ts'
import { sampleIndex } from '../../src/model/sample.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import { someEnd, someStart } from '../contracts/attempts.ts'
import { sampleWidth } from './sample-width.ts'
import { generator } from './series.ts'

const portion = 10_000

/** A job that was looked at so often, ten times a second: it computes in waves, its memory grows, and it reads and writes. */
export function addLongJob(ledger: Ledger, samples: number): JobRecord {
  const taskId = 'c'.repeat(32)
  const attempt = ledger.jobs.begin(someStart(taskId, { intervalSeconds: 0.1 }))
  const writer = ledger.jobs.writer(attempt)
  const random = generator(7)
  const rows = new Float64Array(portion * sampleWidth)
  let [cpu, read, written, waited] = [0, 0, 0, 0]
  for (let first = 0; first < samples; first += portion) {
    const count = Math.min(portion, samples - first)
    rows.fill(Number.NaN)
    for (let index = 0; index < count; index += 1) {
      const at = first + index
      const row = rows.subarray(index * sampleWidth, (index + 1) * sampleWidth)
      cpu += 0.1 * (2 + Math.sin(at / 5000) + random() * 0.5)
      read += random() < 0.001 ? 2 ** 28 : 4096
      written += 1e6 * random()
      waited += 0.01 * random()
      row[sampleIndex.timestamp] = 1_700_000_000 + at / 10
      row[sampleIndex.elapsed_seconds] = at / 10
      row[sampleIndex.cpu_user_seconds] = cpu
      row[sampleIndex.cpu_system_seconds] = cpu / 20
      row[sampleIndex.memory_bytes] = 2 ** 30 + at * 1000 + 2 ** 26 * random()
      row[sampleIndex.num_processes] = 3
      row[sampleIndex.num_threads] = 8
      // As the meter does: once a second.
      if (at % 10 !== 0) continue
      row[sampleIndex.read_bytes] = read
      row[sampleIndex.write_bytes] = written
      row[sampleIndex.cpu_pressure_seconds] = waited
      row[sampleIndex.memory_pressure_seconds] = 0
      row[sampleIndex.io_pressure_seconds] = waited / 2
    }
    writer.add(rows.subarray(0, count * sampleWidth), count)
  }
  const durationSeconds = (samples - 1) / 10
  ledger.jobs.finish(attempt, {
    ...someEnd({ durationSeconds, endedAt: 1_700_000_000 + durationSeconds }),
    samples: { collected: samples, intervalSeconds: 0.1, late: 0, ownCpuSeconds: 1 },
  })
  const [record] = ledger.jobs.findByPrefix(taskId)
  if (record === undefined) throw new Error('the job is not in the ledger')
  return record
}
