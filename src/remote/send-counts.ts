import type { DropReason, FailureReason, RemoteState } from '../model/remote-state.ts'

/** Counts what becomes of what is sent to one target. */
export class SendCounts {
  readonly #startedAt: number
  #samplesSent = 0
  #requests = 0
  #bytesSent = 0
  #lastSentAt: number | null = null
  readonly #failures = { no_answer: 0, too_many: 0, server_error: 0, refused: 0, secret: 0 }
  readonly #dropped = { buffer_full: 0, refused: 0, broken: 0, unwritable: 0 }

  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  requested(bodyBytes: number): void {
    this.#requests += 1
    this.#bytesSent += bodyBytes
  }

  sent(samples: number, at: number): void {
    this.#samplesSent += samples
    this.#lastSentAt = at
  }

  failed(reason: FailureReason): void {
    this.#failures[reason] += 1
  }

  dropped(reason: DropReason, samples: number): void {
    this.#dropped[reason] += samples
  }

  get samplesDropped(): number {
    return Object.values(this.#dropped).reduce((sum, samples) => sum + samples, 0)
  }

  taken(): Omit<RemoteState, 'target' | 'waitingBatches' | 'waitingBytes' | 'lagSeconds'> {
    return {
      startedAt: this.#startedAt,
      samplesSent: this.#samplesSent,
      requests: this.#requests,
      bytesSent: this.#bytesSent,
      failures: { ...this.#failures },
      samplesDropped: { ...this.#dropped },
      lastSentAt: this.#lastSentAt,
    }
  }
}
