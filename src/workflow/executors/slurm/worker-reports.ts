import type { System } from '../../../system/system.ts'

/** A job that a worker cannot take however long it waits, and why. */
export interface Misfit {
  readonly taskId: string
  /** The number of the allocation, its scheduler, and the node of it that the worker has. */
  readonly allocation: string
  readonly scheduler: string | null
  readonly node: string
}

/** What workers tell of their allocations, in a folder that the runner sees: whether they were of use, and what does not fit. */
export class WorkerReports {
  readonly #files: System['files']
  readonly #path: string

  constructor(files: System['files'], directory: string) {
    this.#files = files
    this.#path = `${directory}/reports`
  }

  /** A worker of this allocation has taken a job. */
  tellUsed(allocation: string): void {
    this.#write(`used,${allocation}`, '')
  }

  isUsed(allocation: string): boolean {
    return !this.#files.isMissing(`${this.#path}/used,${allocation}`)
  }

  tellMisfit(misfit: Misfit, why: string): void {
    this.#write(fileOf(misfit), why)
  }

  misfits(): readonly Misfit[] {
    const names = this.#files.list(this.#path)
    if (names.kind !== 'ok') return []
    return names.value.flatMap((name) => {
      const [kind, taskId, allocation, node, scheduler] = name.split(',')
      if (kind !== 'misfit' || taskId === undefined || allocation === undefined) return []
      return [
        {
          taskId,
          allocation,
          node: decodeURIComponent(node ?? ''),
          scheduler: scheduler === '' ? null : decodeURIComponent(scheduler ?? ''),
        },
      ]
    })
  }

  whyOf(misfit: Misfit): string {
    const text = this.#files.readUtf8(`${this.#path}/${fileOf(misfit)}`, 10_000, 'plain')
    return text.kind === 'ok' ? text.value : 'it does not fit into the allocation'
  }

  #write(name: string, text: string): void {
    this.#files.makeDirectories(this.#path)
    this.#files.saveAnew(`${this.#path}/${name}`, [new TextEncoder().encode(text)], 'own')
  }
}

const fileOf = ({ taskId, allocation, node, scheduler }: Misfit): string =>
  ['misfit', taskId, allocation, ...[node, scheduler ?? ''].map(encodeURIComponent)].join(',')
