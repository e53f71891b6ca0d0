import { sampleIndex } from '../../model/sample.ts'
import { lastSeenText } from '../../store/spool/last-seen.ts'
import type { LifeSign } from '../../store/spool/life-sign.ts'

interface Tally {
  memoryPeakBytes: number
  samples: number
}

/** Of an attempt that has lasted no longer little is lost with us, and its last sample comes at its end, of which more is kept. */
const leastSeconds = 0.45

/**
 * Notes what is known of each attempt at its last sample, should we be killed. A note costs as much as a sample in the spool,
 * which is nothing beside the half second between samples; but thousands of short jobs have a last sample each.
 */
export class SeenSoFar {
  readonly #notes: Pick<LifeSign, 'note' | 'forget'>
  readonly #tallies = new Map<string, Tally>()

  constructor(notes: Pick<LifeSign, 'note' | 'forget'>) {
    this.#notes = notes
  }

  /** `width`: how many numbers a row has, of which those that all samples have come first. */
  note(taskId: string, rows: Float64Array, count: number, width: number): void {
    const tally = this.#tallies.get(taskId) ?? {
      memoryPeakBytes: Number.NEGATIVE_INFINITY,
      samples: 0,
    }
    this.#tallies.set(taskId, tally)
    for (let row = 0; row < count; row += 1) {
      const memoryBytes = rows[row * width + sampleIndex.memory_bytes] ?? Number.NaN
      if (memoryBytes > tally.memoryPeakBytes) tally.memoryPeakBytes = memoryBytes
    }
    tally.samples += count
    const last = (count - 1) * width
    const elapsedSeconds = rows[last + sampleIndex.elapsed_seconds] ?? Number.NaN
    if (elapsedSeconds < leastSeconds) return
    this.#notes.note(
      nameOf(taskId),
      lastSeenText(taskId, {
        elapsedSeconds,
        cpuUserSeconds: rows[last + sampleIndex.cpu_user_seconds] ?? Number.NaN,
        cpuSystemSeconds: rows[last + sampleIndex.cpu_system_seconds] ?? Number.NaN,
        ...tally,
      }),
    )
  }

  forget(taskId: string): void {
    if (this.#tallies.delete(taskId)) this.#notes.forget(nameOf(taskId))
  }
}

/** Beside the note by which the attempt is found again. */
const nameOf = (taskId: string): string => `${taskId} seen`
