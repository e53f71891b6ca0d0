import { BadRecord } from '../bad-record.ts'
import type { CsvRecord } from './csv-record.ts'
import type { SonarJob, SonarProcess, SonarSample } from './sample.ts'

/** The lines of one sample, which stand together in a file. */
export interface CsvGroup {
  readonly line: number
  readonly records: number
  readonly sample: SonarSample
}

interface Gathering {
  readonly line: number
  readonly at: number
  readonly texts: Set<string>
  readonly pids: Set<string>
  readonly records: CsvRecord[]
}

const mostHosts = 1000

/** Puts the lines of a sample together: a host's next one begins with another time. */
export class CsvSamples {
  readonly #hosts = new Map<string, Gathering>()

  /** The samples that are complete with this line; 'twice' if the sample has the very same line already. */
  add(record: CsvRecord, text: string, line: number): readonly CsvGroup[] | 'twice' {
    const { host, at, job, process } = record
    const open = this.#hosts.get(host)
    const isNext = open === undefined || open.at !== at
    const gathering = isNext
      ? { line, at, texts: new Set<string>(), pids: new Set<string>(), records: [] }
      : open
    if (gathering.texts.has(text)) return 'twice'
    const pid = `${process.pid} ${job.id}`
    if (process.pid > 0 && gathering.pids.has(pid))
      throw new BadRecord('it tells of a process twice', `pid ${process.pid}`)
    gathering.texts.add(text)
    gathering.pids.add(pid)
    gathering.records.push(record)
    if (!isNext) return []
    const done = open === undefined ? [] : [groupOf(host, open)]
    if (open === undefined && this.#hosts.size >= mostHosts) done.push(...this.end())
    this.#hosts.set(host, gathering)
    return done
  }

  /** Those that no line will be added to. */
  end(): CsvGroup[] {
    const groups = [...this.#hosts].map(([host, gathering]) => groupOf(host, gathering))
    this.#hosts.clear()
    return groups
  }
}

function groupOf(host: string, { line, at, records }: Gathering): CsvGroup {
  const jobs = new Map<string, SonarJob & { readonly processes: SonarProcess[] }>()
  for (const { job, process } of records) {
    const key = `${job.kind} ${job.id} ${job.user}`
    const known = jobs.get(key)
    if (known === undefined) jobs.set(key, { ...job, processes: [process] })
    else known.processes.push(process)
  }
  // What is the same for all lines of a sample stands in one of them only.
  const told = <T>(valueOf: (node: CsvRecord['node']) => T | null): T | null =>
    records.map(({ node }) => valueOf(node)).find((value) => value !== null) ?? null
  const sample: SonarSample = {
    host,
    at,
    bootedAt: null,
    load: null,
    usedMemoryKib: null,
    coreSeconds: told(({ coreSeconds }) => coreSeconds),
    gpuShare: told(({ gpuShare }) => gpuShare),
    gpuMemoryKib: told(({ gpuMemoryKib }) => gpuMemoryKib),
    gpuWatts: told(({ gpuWatts }) => gpuWatts),
    capacity: {
      cores: told(({ capacity }) => capacity.cores),
      memoryKib: told(({ capacity }) => capacity.memoryKib),
      gpus: told(({ capacity }) => capacity.gpus),
      gpuMemoryKib: null,
    },
    jobs: [...jobs.values()],
  }
  return { line, records: records.length, sample }
}
