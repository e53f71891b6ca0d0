/** Where and when a round was taken. */
export interface Place {
  readonly hostId: number
  readonly atMs: number
  readonly spanMs: number
}

export const fiveMinutesMs = 300_000
export const hourMs = 3_600_000

/** When the bucket of a round began. A round belongs to the time that it ends in; one at its very start to the one before. */
export const bucketOf = (atMs: number, sizeMs: number): number =>
  Math.floor((atMs - 1) / sizeMs) * sizeMs
