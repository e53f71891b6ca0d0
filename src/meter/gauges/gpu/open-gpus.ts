import { ok, unavailable, whyNot, type Reading } from '../../../model/reading.ts'
import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import { findSources } from '../../../sensors/gpu/sources.ts'
import type { System } from '../../../system/system.ts'
import { JobGpus, type CardUser } from './job-gpus.ts'
import { WatchedCards } from './watched-cards.ts'

/** The cards of a machine that has some, for all jobs. */
export interface OpenGpus {
  /** `environment`: of its main process, as `/proc` has it. */
  follow(job: CardUser, environment: string): JobGpus
  /** All cards of the machine, looked at if that is due. They are the same objects at each call. */
  look(): readonly GpuCard[]
  /** False where every card has failed; before the first look none has. */
  readonly isReadable: boolean
  close(): void
}

/** Opens all that tells of cards; the answer says what was tried where nothing does. */
export async function openGpus(system: System): Promise<Reading<OpenGpus>> {
  const found = await findSources(system)
  const sources = found.flatMap(({ reading }) => (reading.kind === 'ok' ? [reading.value] : []))
  if (sources.length > 0) {
    const cards = new WatchedCards(system, sources)
    return ok({
      follow: (job, environment) => new JobGpus(job, cards, environment),
      look() {
        cards.look()
        return cards.cards
      },
      get isReadable() {
        return cards.looks === 0 || cards.cards.some(({ failure }) => failure === null)
      },
      close: () => cards.close(),
    })
  }
  // Cards of several vendors are looked for in the same places.
  const reasons = new Set(
    found.flatMap(({ reading }) => (reading.kind === 'ok' ? [] : whyNot(reading).split('; '))),
  )
  return unavailable(`no GPU can be read: ${[...reasons].join('; ') || 'there is none'}`)
}
