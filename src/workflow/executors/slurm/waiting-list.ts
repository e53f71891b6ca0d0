import type { Reading } from '../../../model/reading.ts'
import type { System } from '../../../system/system.ts'
import type { Claim } from '../../../model/claim.ts'

/** A job that waits for a worker. All that a worker needs to choose stands in the name of a file, so that none is opened. */
export interface WaitingJob extends Claim {
  readonly taskId: string
  /** Only workers of this scheduler may take it; null: all. */
  readonly scheduler: string | null
  readonly runtimeSeconds: number | null
}

interface Listed extends WaitingJob {
  readonly fileName: string
}

/** The jobs that wait for workers, in a folder that all of them see: one empty file for each, in their order. */
export class WaitingList {
  readonly path: string
  readonly #files: System['files']
  #count = 0

  constructor(files: System['files'], directory: string) {
    this.#files = files
    this.path = `${directory}/waiting`
  }

  add(job: WaitingJob, wallSeconds: number): Reading<true> {
    const made = this.#files.makeDirectories(this.path)
    if (made.kind !== 'ok') return made
    this.#count += 1
    const order = Math.floor(wallSeconds * 1000) * 1000 + (this.#count % 1000)
    const fields = [
      String(order).padStart(17, '0'),
      job.cpus,
      job.memoryBytes,
      job.gpus,
      job.runtimeSeconds ?? '',
      encodeURIComponent(job.scheduler ?? ''),
      job.taskId,
    ]
    return this.#files.saveAnew(`${this.path}/${fields.join(',')}`, [], 'own')
  }

  /** In the order in which they came. */
  read(): readonly Listed[] {
    const names = this.#files.list(this.path)
    if (names.kind !== 'ok') return []
    return names.value.toSorted().flatMap((fileName) => {
      const [, cpus, memoryBytes, gpus, runtime, scheduler, taskId] = fileName.split(',')
      if (taskId === undefined) return []
      return [
        {
          fileName,
          taskId,
          cpus: Number(cpus),
          memoryBytes: Number(memoryBytes),
          gpus: Number(gpus),
          runtimeSeconds: runtime === '' ? null : Number(runtime),
          scheduler: scheduler === '' ? null : decodeURIComponent(scheduler ?? ''),
        },
      ]
    })
  }

  /** It was taken, by us or others, or nobody wants it any more. */
  remove(fileName: string): void {
    this.#files.removeFile(`${this.path}/${fileName}`)
  }
}
