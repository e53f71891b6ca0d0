import { join } from 'node:path'
import { whyNot } from '../model/reading.ts'
import type { RemoteState } from '../model/remote-state.ts'
import type { RemoteTarget, RemoteTls } from '../model/remote-target.ts'
import type { MetricFamily } from '../render/metrics/family.ts'
import type { OtlpSender } from '../render/metrics/wire/otlp-json.ts'
import { BatchFolder } from '../store/outgoing/batch-folder.ts'
import { writeStanding } from '../store/outgoing/standing-file.ts'
import { HttpLine, type TlsTrust } from '../system/http-line.ts'
import { readSecretFile, readSecretText } from '../system/secret-file.ts'
import type { System } from '../system/system.ts'
import { BatchPost } from './send-batch.ts'
import { TargetSender } from './target-sender.ts'

export interface RemoteSettings {
  /** Holds a folder for each target. */
  readonly directory: string
  readonly sender: OtlpSender
  /** All that is told now. */
  readonly gather: () => Promise<readonly MetricFamily[]>
  readonly tell: (words: string) => void
}

interface OpenTarget {
  readonly target: RemoteTarget
  readonly sender: TargetSender
  /** What was told when it was opened waits to be sent. */
  readonly isGathered: Promise<void>
  close(): Promise<void>
}

/** Sends metrics to all targets of a configuration, each at its own interval. Nothing that goes wrong is thrown. */
export class RemoteSenders {
  readonly #system: System
  readonly #settings: RemoteSettings
  #open: readonly OpenTarget[] = []

  constructor(system: System, settings: RemoteSettings) {
    this.#system = system
    this.#settings = settings
  }

  /** Sends to these from now on. Those that are as they were go on. */
  async change(targets: readonly RemoteTarget[]): Promise<void> {
    const wanted = new Map(targets.map((target) => [JSON.stringify(target), target]))
    const kept = this.#open.filter(({ target }) => wanted.delete(JSON.stringify(target)))
    const ended = this.#open.filter((one) => !kept.includes(one))
    this.#open = kept
    await Promise.all(ended.map((one) => one.close()))
    for (const target of wanted.values()) {
      const opened = await this.#opened(target)
      if (opened !== undefined) this.#open = [...this.#open, opened]
    }
  }

  states(): readonly RemoteState[] {
    return this.#open.map(({ sender }) => sender.state())
  }

  /** Sends what is told now to these, and what waits for them from before. What fails waits for the next who starts. */
  async sendOnce(targets: readonly RemoteTarget[]): Promise<void> {
    await this.change(targets)
    await Promise.all(
      this.#open.map(async ({ isGathered, sender }) => {
        await isGathered
        await sender.settled()
      }),
    )
    await this.close()
  }

  /** What waits is sent by the next who starts. */
  close(): Promise<void> {
    return this.change([])
  }

  async #opened(target: RemoteTarget): Promise<OpenTarget | undefined> {
    const { directory, sender, tell } = this.#settings
    const path = join(directory, target.name)
    const refuse = (why: string): undefined => {
      tell(`metrics for ${target.name} are not sent: ${why}`)
    }
    try {
      const trust = trustOf(this.#system, target.tls)
      if (typeof trust === 'string') return refuse(trust)
      const folder = await BatchFolder.open(path, {
        mostBytes: target.bufferBytes,
        tryLock: this.#system.files.tryLock,
      })
      if (folder === undefined) return refuse(`another jobmeter sends what waits in ${path}`)
      const line = new HttpLine(trust)
      const post = new BatchPost(target, {
        line,
        sender,
        wallSeconds: () => this.#system.clock.wallSeconds(),
        secret: readSecretFile,
      })
      return this.#begun(target, path, folder, line, post)
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error))
    }
  }

  #begun(
    target: RemoteTarget,
    path: string,
    folder: BatchFolder,
    line: HttpLine,
    post: BatchPost,
  ): OpenTarget {
    const { tell } = this.#settings
    let isWriting = false
    const changed = () => {
      if (isWriting) return
      isWriting = true
      const { lastSentAt, samplesDropped, startedAt } = sender.state()
      const dropped = Object.values(samplesDropped).reduce((sum, samples) => sum + samples, 0)
      const standing = { lastSentAt, problem: sender.problem, samplesDropped: dropped, startedAt }
      // Only doctor asks for it.
      void writeStanding(path, standing)
        .catch(() => undefined)
        .finally(() => (isWriting = false))
    }
    const sender = new TargetSender(this.#system, target, { folder, post, tell, changed })
    sender.start()
    const { isGathered, stop } = this.#each(target.intervalSeconds, async () => {
      await sender.add(await this.#settings.gather())
    })
    return {
      target,
      sender,
      isGathered,
      close: async () => {
        stop()
        line.close()
        await sender.stop()
        folder.close()
      },
    }
  }

  /** Now, and then each interval. One that takes longer than an interval delays those after it. */
  #each(
    intervalSeconds: number,
    act: () => Promise<void>,
  ): { readonly isGathered: Promise<void>; readonly stop: () => void } {
    const { clock } = this.#system
    let isStopped = false
    let cancel: (() => void) | undefined
    const turn = async () => {
      const due = clock.monotonicSeconds() + intervalSeconds
      await act().catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        this.#settings.tell(`metrics could not be gathered: ${why}`)
      })
      if (!isStopped)
        cancel = clock.after(Math.max(0, due - clock.monotonicSeconds()), () => void turn())
    }
    const isGathered = turn()
    const stop = () => {
      isStopped = true
      cancel?.()
    }
    return { isGathered, stop }
  }
}

/** The files of TLS; in words, what is wrong with them. */
function trustOf(system: System, { ca, certificate, key }: RemoteTls): TlsTrust | string {
  const found: { ca?: string; cert?: string; key?: string } = {}
  const mostBytes = 1e6
  for (const [name, path] of [
    ['ca', ca],
    ['cert', certificate],
  ] as const) {
    if (path === null) continue
    const text = system.files.readUtf8(path, mostBytes)
    if (text.kind !== 'ok') return whyNot(text)
    found[name] = text.value
  }
  if (key !== null) {
    const secret = readSecretText(key)
    if (secret.kind !== 'ok') return whyNot(secret)
    found.key = secret.value
  }
  return found
}
