import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleColumns, sampleNames } from '../../src/model/sample.ts'
import { LocalAttempts } from '../../src/store/outbox/local-attempts.ts'
import { Outbox } from '../../src/store/outbox/outbox.ts'
import { packChunk } from '../../src/store/postgres/chunk/chunk.ts'
import {
  emptyBatch,
  type AttemptRows,
  type TeamBatch,
} from '../../src/store/postgres/write/batch.ts'
import { fillLedger } from './large-ledger.ts'
import { generator, type Random } from './series.ts'

export const madeUsers: readonly string[] = Array.from({ length: 100 }, (_, n) => `user${n}`)

const templates = 500
const chunks = 100
const daySeconds = 86_400

export interface LoadShape {
  /** The last record starts then, the first 30 days before. */
  readonly endsAt: number
  readonly records: number
  readonly samplesPerRecord: number
}

/** Batches of records and samples as nodes send them: the records of a local ledger, and samples that are packed. */
export class TeamLoad {
  readonly #shape: LoadShape
  readonly #attempts: readonly AttemptRows[]
  readonly #packed: readonly NonSharedBuffer[]

  constructor(shape: LoadShape) {
    this.#shape = shape
    this.#attempts = recordsOfALedger()
    const random = generator(15)
    this.#packed = Array.from({ length: chunks }, () =>
      packedSamples(shape.samplesPerRecord, random),
    )
  }

  batch(first: number, count: number): TeamBatch {
    const attempts = Array.from({ length: count }, (_, at) => this.#record(first + at))
    return { ...emptyBatch, attempts }
  }

  #record(index: number): AttemptRows {
    const { endsAt, records, samplesPerRecord } = this.#shape
    const startedAt = endsAt - 30 * daySeconds * (1 - index / records)
    const user = madeUsers[(index * 37) % madeUsers.length] ?? ''
    const template = this.#attempts[index % templates]
    const taskId = `${(index * 2_654_435_761).toString(16).padStart(20, '0')}${index.toString(16).padStart(12, '0')}`
    return {
      taskId,
      attempt: {
        ...template?.attempt,
        task_id: taskId,
        user,
        started_at: startedAt,
        ended_at: startedAt + samplesPerRecord,
        source_job_id: index + 1,
      },
      ...(template?.form === undefined ? {} : { form: template.form }),
      chunks: [
        {
          part: 'sample',
          user,
          startedAt,
          firstRow: 0,
          rowCount: samplesPerRecord,
          fromSeconds: 0,
          toSeconds: samplesPerRecord,
          packed: this.#packed[index % chunks] ?? Buffer.alloc(0),
        },
      ],
    }
  }
}

function recordsOfALedger(): AttemptRows[] {
  const folder = mkdtempSync(join(tmpdir(), 'jobmeter-load-'))
  const path = join(folder, 'ledger.db')
  try {
    fillLedger(path, { commands: templates, jobs: 0, runs: 0 })
    const file = Outbox.open(path)
    if (file === undefined) throw new Error('there is no ledger')
    const rows = new LocalAttempts(file.connection).after(0, templates)
    file.close()
    return rows.map(({ taskId, values, form }) => ({
      taskId,
      attempt: values,
      ...(form === undefined ? {} : { form }),
      chunks: [],
    }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** How often a figure changes from one sample to the next, and by how much at most; what is not named stands still. */
const changes: Readonly<Record<string, readonly [often: number, most: number, unit: number]>> = {
  timestamp: [1, 1e3, 1e-6],
  cpu_user_seconds: [1, 1e6, 1e-6],
  cpu_system_seconds: [0.6, 2e4, 1e-6],
  memory_bytes: [0.4, 512, 4096],
  rss_bytes: [0.4, 512, 4096],
  cgroup_memory_bytes: [0.4, 512, 4096],
  read_bytes: [0.05, 64, 4096],
  write_bytes: [0.1, 64, 4096],
  read_chars: [0.1, 1e5, 1],
  write_chars: [0.2, 1e5, 1],
  read_calls: [0.1, 8, 1],
  write_calls: [0.2, 8, 1],
  minor_faults: [0.4, 512, 1],
  cpu_pressure_seconds: [0.2, 1e4, 1e-6],
  io_pressure_seconds: [0.05, 1e4, 1e-6],
  machine_cpu_seconds: [1, 800, 1e-2],
  machine_io_wait_seconds: [0.1, 5, 1e-2],
  machine_memory_bytes: [1, 2048, 4096],
  machine_disk_read_bytes: [0.1, 256, 4096],
  machine_disk_write_bytes: [0.4, 256, 4096],
  machine_net_received_bytes: [1, 5e3, 1],
  machine_net_sent_bytes: [1, 3e3, 1],
}

/** A sample a second, of a job that computes and at times reads and writes. */
function packedSamples(count: number, random: Random): NonSharedBuffer {
  const values = sampleColumns.map(({ name, kind }) => {
    const [often, most, unit] = changes[name] ?? [0, 0, 0]
    let sum = name === 'timestamp' ? 1_794_000_000 : 0
    return Float64Array.from({ length: count }, (_, row) => {
      if (name === 'elapsed_seconds') return row + 1
      if (name === 'io_delay_seconds') return Number.NaN
      const step =
        random() < often ? Math.floor(most * (random() - (kind === 'gauge' ? 0.4 : 0))) : 0
      sum += step * unit + (name === 'timestamp' ? 1 : 0)
      return sum
    })
  })
  const [timestamp, elapsed] = values
  // One clock: what has elapsed is what the time has gone on.
  elapsed?.forEach((_, row) => (elapsed[row] = (timestamp?.[row] ?? 0) - 1_794_000_000))
  return packChunk([{ kind: '', id: '', columns: sampleNames, count, values }])
}
