import type { RemoteState } from '../../model/remote-state.ts'
import type { RemoteTarget } from '../../model/remote-target.ts'
import type { RemoteSenders } from '../../remote/remote-senders.ts'
import type { MetricFamily } from '../../render/metrics/family.ts'
import { outgoingDirectory } from '../../store/outgoing/outgoing-path.ts'
import type { System } from '../../system/system.ts'
import { version } from '../version.ts'

interface RemoteParts {
  /** What is to be sent waits beside it. */
  readonly database: string
  /** `jobmeter-agent` or `jobmeter-server`. */
  readonly service: string
  readonly gather: (states: readonly RemoteState[]) => Promise<readonly MetricFamily[]>
  readonly tell: (words: string) => void
}

/** Sends metrics where a configuration says. Without a target nothing of it is loaded. */
export class RemoteMetrics {
  readonly #system: System
  readonly #parts: RemoteParts
  #senders: RemoteSenders | undefined

  constructor(system: System, parts: RemoteParts) {
    this.#system = system
    this.#parts = parts
  }

  /** Sends to these from now on. */
  async load(targets: readonly RemoteTarget[]): Promise<void> {
    if (this.#senders === undefined && targets.length === 0) return
    this.#senders ??= await this.#opened()
    await this.#senders.change(targets)
  }

  /** Sends what is told now to these, once. */
  async sendOnce(targets: readonly RemoteTarget[]): Promise<void> {
    if (targets.length === 0) return
    this.#senders ??= await this.#opened()
    await this.#senders.sendOnce(targets)
  }

  states(): readonly RemoteState[] {
    return this.#senders?.states() ?? []
  }

  async close(): Promise<void> {
    await this.#senders?.close()
  }

  async #opened(): Promise<RemoteSenders> {
    const { RemoteSenders: Senders } = await import('../../remote/remote-senders.ts')
    const { database, service, gather, tell } = this.#parts
    return new Senders(this.#system, {
      directory: outgoingDirectory(database),
      sender: { service, instance: this.#system.host.name, version },
      gather: () => gather(this.states()),
      tell,
    })
  }
}
