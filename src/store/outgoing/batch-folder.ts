import { constants, lstatSync, promises } from 'node:fs'
import { join } from 'node:path'
import type { TryLock } from '../../model/file-lock.ts'
import { holdLock, type HeldLock } from '../held-lock.ts'
import { isOursAlone } from '../own-file.ts'
import { makePrivateDirectories } from '../private-file.ts'
import { packBatch, unpackBatch } from './batch-file.ts'
import { batchName, parseBatchName, unfinishedName, type WaitingBatch } from './batch-name.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants

/** Each takes some memory while it waits. */
const mostBatches = 20_000

export interface BatchFolderSettings {
  readonly mostBytes: number
  readonly tryLock: TryLock
}

/** What had to go. */
export interface DroppedBatches {
  readonly batches: number
  readonly samples: number
}

const nothing: DroppedBatches = { batches: 0, samples: 0 }

const plus = ({ batches, samples }: DroppedBatches, more: number): DroppedBatches => ({
  batches: batches + 1,
  samples: samples + more,
})

/**
 * Batches that wait to be sent, each in a file of its own that is there whole or not at all. Where they are too many the
 * oldest go. Nothing here waits for a disk: whoever asks goes on meanwhile.
 */
export class BatchFolder {
  readonly #path: string
  readonly #mostBytes: number
  readonly #lock: HeldLock
  readonly #waiting: WaitingBatch[]
  #bytes: number
  #next: number
  /** Is being sent, and so does not go. */
  #held: number | undefined

  private constructor(
    path: string,
    mostBytes: number,
    lock: HeldLock,
    waiting: readonly WaitingBatch[],
  ) {
    this.#path = path
    this.#mostBytes = mostBytes
    this.#lock = lock
    this.#waiting = [...waiting]
    this.#bytes = waiting.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#next = (waiting.at(-1)?.number ?? 0) + 1
  }

  /** Opens a folder for one who sends, made where there is none; undefined where another sends from it. */
  static async open(
    path: string,
    { mostBytes, tryLock }: BatchFolderSettings,
  ): Promise<BatchFolder | undefined> {
    makePrivateDirectories(path)
    if (!isOursAlone(lstatSync(path))) throw new Error(`${path} is not private to you`)
    const lock = holdLock(join(path, 'lock'), tryLock)
    if (lock === undefined) return undefined
    await promises.rm(join(path, unfinishedName), { force: true })
    return new BatchFolder(path, mostBytes, lock, await waitingIn(path))
  }

  get batches(): number {
    return this.#waiting.length
  }

  get bytes(): number {
    return this.#bytes
  }

  /** When the oldest that waits was made; undefined where none waits. */
  get oldestMilliseconds(): number | undefined {
    return this.#waiting[0]?.atMilliseconds
  }

  /** Adds a batch at the end, and answers what went for it. One at a time: the next waits until this is done. */
  async add(atMilliseconds: number, samples: number, content: string): Promise<DroppedBatches> {
    const file = await packBatch(content)
    const dropped = await this.#makeRoom(file.length)
    // It is larger than all may be, or than what the one leaves that is being sent.
    if (this.#bytes + file.length > this.#mostBytes) return plus(dropped, samples)
    const named = { number: this.#next, atMilliseconds, samples }
    this.#next += 1
    const unfinished = join(this.#path, unfinishedName)
    const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    const handle = await promises.open(unfinished, flags, 0o600)
    try {
      try {
        await handle.writeFile(file)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await promises.rename(unfinished, join(this.#path, batchName(named)))
    } catch (error) {
      await promises.rm(unfinished, { force: true })
      throw error
    }
    this.#waiting.push({ ...named, bytes: file.length })
    this.#bytes += file.length
    return dropped
  }

  /** The batch that is to be sent first, kept until `remove`; without content where its file is not what was written. */
  async first(): Promise<{ batch: WaitingBatch; content: string | undefined } | undefined> {
    const [batch] = this.#waiting
    if (batch === undefined) return undefined
    this.#held = batch.number
    const content = await this.#read(batch).catch(() => undefined)
    return { batch, content }
  }

  async remove({ number }: WaitingBatch): Promise<void> {
    this.#held = undefined
    const place = this.#waiting.findIndex((one) => one.number === number)
    if (place >= 0) await this.#take(place)
  }

  close(): void {
    this.#lock.release()
  }

  async #read(batch: WaitingBatch): Promise<string | undefined> {
    const handle = await promises.open(join(this.#path, batchName(batch)), O_RDONLY | O_NOFOLLOW)
    try {
      return await unpackBatch(await handle.readFile())
    } finally {
      await handle.close()
    }
  }

  async #makeRoom(bytes: number): Promise<DroppedBatches> {
    let dropped = nothing
    if (bytes > this.#mostBytes) return dropped
    while (this.#bytes + bytes > this.#mostBytes || this.#waiting.length >= mostBatches) {
      const place = this.#waiting[0]?.number === this.#held ? 1 : 0
      const oldest = this.#waiting[place]
      if (oldest === undefined) return dropped
      await this.#take(place)
      dropped = plus(dropped, oldest.samples)
    }
    return dropped
  }

  async #take(place: number): Promise<void> {
    const [batch] = this.#waiting.splice(place, 1)
    if (batch === undefined) return
    this.#bytes -= batch.bytes
    await promises.rm(join(this.#path, batchName(batch)), { force: true })
  }
}

/** In the order in which they were added. */
export async function waitingIn(path: string): Promise<readonly WaitingBatch[]> {
  const named = (await promises.readdir(path)).flatMap((name) => parseBatchName(name) ?? [])
  const found: WaitingBatch[] = []
  for (const one of named) {
    const stats = await promises.lstat(join(path, batchName(one))).catch(() => undefined)
    if (stats?.isFile() === true) found.push({ ...one, bytes: stats.size })
  }
  return found.toSorted((one, other) => one.number - other.number)
}
