import type { ImportedJob } from '../../../model/imported-round.ts'
import type { PastSlurmJob } from '../../../model/past-slurm-job.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { number, text } from '../../sqlite/row.ts'
import type { SlurmRows } from './slurm-rows.ts'

interface Said {
  readonly job: PastSlurmJob
  isCounted: boolean
}

const find = `SELECT started_ms, said, is_counted FROM imported_slurm_job WHERE key = ?`
const mostRemembered = 20_000

/** What Slurm's account has said of jobs, for samples of them that come later. */
export class SlurmSaid {
  readonly #connection: Connection
  readonly #rows: SlurmRows
  readonly #known = new Map<string, readonly Said[]>()
  #timesUndone = 0

  constructor(connection: Connection, rows: SlurmRows) {
    this.#connection = connection
    this.#rows = rows
  }

  /** Puts in what a sample does not tell. What the account had counted is taken back: samples tell it better. */
  completed(job: ImportedJob, host: string): ImportedJob {
    const id = job.id.split('@', 1)[0] ?? job.id
    const said = this.#of(id).find(
      (one) => one.job.hosts.length === 0 || one.job.hosts.includes(host),
    )
    if (said === undefined) return job
    if (said.isCounted) {
      this.#rows.takeBack(said.job)
      said.isCounted = false
    }
    const { account, reservation, startedAt } = said.job
    return { ...job, account, reservation, startedAt }
  }

  /** What was said of the same run of a job. */
  lookUp({ id, startedAt }: PastSlurmJob): Said | undefined {
    return this.#of(id).find(({ job }) => isSameStart(job.startedAt, startedAt))
  }

  forget(id: string): void {
    this.#known.delete(id)
  }

  #of(id: string): readonly Said[] {
    const undone = this.#connection.timesUndone
    if (undone !== this.#timesUndone || this.#known.size >= mostRemembered) this.#known.clear()
    this.#timesUndone = undone
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const found = this.#connection.map(find, [id], (row) => ({
      job: JSON.parse(text(row, 'said')) as PastSlurmJob,
      isCounted: number(row, 'is_counted') === 1,
    }))
    this.#known.set(id, found)
    return found
  }
}

const isSameStart = (one: number | null, other: number | null): boolean =>
  (one ?? 0) === (other ?? 0)
