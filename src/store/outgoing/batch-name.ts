/** A batch that waits in a file. */
export interface WaitingBatch {
  /** Batches are sent in the order of these. */
  readonly number: number
  readonly atMilliseconds: number
  readonly samples: number
  /** Of its file. */
  readonly bytes: number
}

type Named = Omit<WaitingBatch, 'bytes'>

/** The name says all that must be known of a batch while it waits, so that none is read before its turn. */
export const batchName = ({ number, atMilliseconds, samples }: Named): string =>
  `${String(number).padStart(12, '0')}-${atMilliseconds}-${samples}.batch`

/** What has this name while it is written is not a batch yet. */
export const unfinishedName = 'unfinished'

export function parseBatchName(name: string): Named | undefined {
  const [, number, at, samples] = /^(\d{12,15})-(\d{1,15})-(\d{1,9})\.batch$/.exec(name) ?? []
  if (number === undefined) return undefined
  return { number: Number(number), atMilliseconds: Number(at), samples: Number(samples) }
}
