import { secondsInWords } from '../../../model/gpu-usage.ts'
import type { CardUse } from './card-use.ts'

/** Time of a job in which something of a card was not read, and why: what the words say follows the card's name. */
export interface Gap {
  readonly seconds: number
  readonly why: string
}

export type GapsOf = (use: CardUse) => readonly Gap[]

/** In what is told of the card itself. */
export const cardGaps: GapsOf = (use) => [...failures(use), ...rests(use.aloneSeconds)]

/** In what it tells of its own work. */
export const workGaps: GapsOf = (use) => [
  ...cardGaps(use),
  ...untold(use.workUntoldSeconds, 'how busy it was'),
]

/** In what it tells of its power. */
export const powerGaps: GapsOf = (use) => [
  ...cardGaps(use),
  ...untold(use.powerlessSeconds, 'its power'),
]

/** In what is told of the job's processes on it. */
export const ownGaps: GapsOf = (use) => [...failures(use), ...rests(use.unseenSeconds)]

function failures({ card, failedSeconds, lastFailure, readUntilSeconds }: CardUse): Gap[] {
  if (card.failure === null && failedSeconds === 0) return []
  const when =
    card.failure === null
      ? `for ${secondsInWords(failedSeconds)}`
      : `after ${secondsInWords(readUntilSeconds)}`
  const why = `could not be read ${when}: ${card.failure ?? lastFailure}`
  return [{ seconds: failedSeconds, why }]
}

const untold = (seconds: number, what: string): Gap[] =>
  seconds > 0 ? [{ seconds, why: `did not tell ${what} for ${secondsInWords(seconds)}` }] : []

const rests = (seconds: number): Gap[] =>
  seconds > 0
    ? [
        {
          seconds,
          why: `was left alone for ${secondsInWords(seconds)}, so that it could fall asleep`,
        },
      ]
    : []
