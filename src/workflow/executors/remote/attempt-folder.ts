import type { AskedMetric } from '../../../model/metrics.ts'
import type { Owner } from '../../../model/machine.ts'
import { failed, ok, type Reading } from '../../../model/reading.ts'
import { recordName } from '../../../store/spool/spool-names.ts'
import { claimFile, removeFolder } from '../../../system/claim-file.ts'
import type { Files } from '../../../system/system.ts'
import type { AttemptOrder } from '../../run/executor.ts'

/** What is to be run somewhere, as it lies in its folder. */
export interface WrittenOrder {
  readonly version: 1
  readonly order: AttemptOrder
  /** What is measured; empty: what is measured by default. */
  readonly metrics: readonly AskedMetric[]
}

/** Who has an attempt: one that runs it, or one that saw to it that nobody will. */
export type Claim =
  | {
      readonly kind: 'taken'
      readonly by: Owner
      /** What the place where it runs calls the job that it runs in, and the like. */
      readonly site: Readonly<Record<string, string>>
    }
  | { readonly kind: 'withdrawn'; readonly as: 'gone' | 'cancelled'; readonly signal: string }

/** Somebody wants an attempt to end: the first time it is asked to, the second time it is killed. */
export interface EndRequest {
  readonly request: number
  readonly signal: NodeJS.Signals
}

/** A command line and an environment may be some megabytes long. */
const mostBytes = 64 * 2 ** 20

/**
 * The folder of one attempt that runs elsewhere, on a disk that both sides see. In it are the order, the claim of the one that
 * runs it, the record that this one writes (a file of the spool) and requests to end it. Whoever looks later, the runner
 * that ordered it or one that comes after it, finds how it stands.
 */
export class AttemptFolder {
  readonly path: string
  readonly taskId: string
  readonly #files: Files

  constructor(files: Files, path: string) {
    this.path = path
    this.taskId = path.slice(path.lastIndexOf('/') + 1)
    this.#files = files
  }

  get recordPath(): string {
    return `${this.path}/${recordName(this.taskId)}`
  }

  /** Before anybody is told of it. */
  writeOrder(written: WrittenOrder): Reading<true> {
    const made = this.#files.makeDirectories(this.path)
    return made.kind === 'ok' ? this.#save('order.json', written) : made
  }

  readOrder(): Reading<WrittenOrder> {
    const found = this.#read<WrittenOrder>('order.json')
    if (found.kind !== 'ok') return found
    const { version, order } = found.value
    if (version !== 1) return failed(`${this.path}: the order was written by another version`)
    return order.taskId === this.taskId
      ? found
      : failed(`${this.path}: the order is of task ${order.taskId}`)
  }

  /** One attempt runs once: false where somebody has it already. */
  claim(claim: Claim): Reading<boolean> {
    const made = this.#files.makeDirectories(this.path)
    return made.kind === 'ok' ? claimFile(`${this.path}/claim`, JSON.stringify(claim)) : made
  }

  /** The one that has it could not begin it: others may. */
  release(): void {
    this.#files.removeFile(`${this.path}/claim`)
  }

  readClaim(): Claim | undefined {
    const found = this.#read<Claim>('claim')
    return found.kind === 'ok' ? found.value : undefined
  }

  askToEnd(request: EndRequest): Reading<true> {
    return this.#save('end-request', request)
  }

  endRequest(): EndRequest | undefined {
    const path = `${this.path}/end-request`
    if (this.#files.isMissing(path)) return undefined
    const found = this.#read<EndRequest>('end-request')
    return found.kind === 'ok' ? found.value : undefined
  }

  remove(): Reading<true> {
    return removeFolder(this.path)
  }

  #save(name: string, value: object): Reading<true> {
    const bytes = new TextEncoder().encode(JSON.stringify(value))
    return this.#files.saveAnew(`${this.path}/${name}`, [bytes], 'own')
  }

  #read<T>(name: string): Reading<T> {
    const text = this.#files.readUtf8(`${this.path}/${name}`, mostBytes, 'plain')
    if (text.kind !== 'ok') return text
    try {
      return ok(JSON.parse(text.value) as T)
    } catch (error) {
      return failed(`${this.path}/${name}: ${String(error)}`)
    }
  }
}

/** Those that lie in a directory. */
export function attemptFolders(files: Files, directory: string): AttemptFolder[] {
  const names = files.list(directory)
  const ids = names.kind === 'ok' ? names.value.filter((name) => /^[0-9a-f]{32}$/.test(name)) : []
  return ids.map((id) => new AttemptFolder(files, `${directory}/${id}`))
}
