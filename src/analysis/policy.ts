/**
 * The lines that more than one part of the analysis draws, or tells of, each in one place. Lines that a single file draws stand
 * in the policy of that file.
 */

/** What is asked for beyond what was seen, as a factor. */
export const requestMargins = {
  /** On the highest memory peak: the same work takes a little more another time. */
  memory: 1.15,
  /** On the time that was taken. */
  runtime: 1.2,
  /** On memory that was not enough, which says less of what would be than a peak does. */
  afterOutOfMemory: 1.5,
} as const

/** Mean cores of serial work: one, less some start-up and waiting, plus a helper thread. */
export const serialCores = { least: 0.8, most: 1.15 } as const

/** Two figures of one thing that were obtained differently may be so many times apart. */
export const likeness = {
  /** A process may seem larger than its job: proportional sizes leave out what it shares with others. */
  processOfJob: 1.15,
  /** A peak above what the timeline shows, from which it is worth telling. */
  peakOfTimeline: 1.2,
} as const

/** Of 20 attempts the longest may be left out, and of 20 moments the busiest. */
export const usualPercent = 95

/** `15` of a margin of 1.15. */
export const marginPercent = (factor: number): number => Math.round((factor - 1) * 100)
