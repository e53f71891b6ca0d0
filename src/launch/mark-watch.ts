import { markLimits } from '../model/marks/mark.ts'
import type { Sighting } from '../model/marks/parse-marks.ts'
import type { System } from '../system/system.ts'

const firstLookSeconds = 0.05
/** The next look comes after this share of the job's age, */
const patience = 0.25
/** and not later than this: seldom while there is no file, for most jobs never write one. */
const longestPauseSeconds = { without: 2, with: 0.5 } as const
const mostSightings = 20_000

/**
 * Notes when how much of a job's marks had been written, so that lines without a time can be given one. What they say is
 * only read at the end.
 */
export class MarkWatch {
  readonly sightings: Sighting[] = []
  readonly #system: Pick<System, 'clock' | 'files'>
  readonly #path: string
  #stop: () => void
  #descriptor = -1
  #bytes = 0

  constructor(system: Pick<System, 'clock' | 'files'>, path: string) {
    this.#system = system
    this.#path = path
    this.#stop = this.#lookAfter(firstLookSeconds, firstLookSeconds)
  }

  end(): void {
    this.#stop()
    if (this.#descriptor >= 0) this.#system.files.close(this.#descriptor)
  }

  #lookAfter(seconds: number, ageSeconds: number): () => void {
    return this.#system.clock.after(seconds, () => {
      this.#look()
      const longest = longestPauseSeconds[this.#descriptor < 0 ? 'without' : 'with']
      const next = Math.min(longest, Math.max(firstLookSeconds, patience * ageSeconds))
      if (this.sightings.length < mostSightings)
        this.#stop = this.#lookAfter(next, ageSeconds + next)
    })
  }

  #look(): void {
    const { files, clock } = this.#system
    if (this.#descriptor < 0 && !files.isMissing(this.#path))
      this.#descriptor = files.openLog(this.#path)
    if (this.#descriptor < 0) return
    const before = this.#bytes
    for (let more = 1; more > 0 && this.#bytes < markLimits.fileBytes; this.#bytes += more)
      more = Math.max(0, files.readFrom(this.#descriptor, this.#bytes, scratch()))
    if (this.#bytes > before) this.sightings.push({ bytes: this.#bytes, at: clock.wallSeconds() })
  }
}

let buffer: Uint8Array | undefined
/** Most programs never need one. */
const scratch = (): Uint8Array => (buffer ??= new Uint8Array(65_536))
