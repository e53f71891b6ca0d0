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
  /** On time that was not enough: nothing tells how much was left to do. */
  afterTimeout: 2,
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

/** What a card was bound by. Shares are of the time in which a job held it, unless they say otherwise. */
export const gpuPolicy = {
  /** Of the job's duration: who holds a card for less is bound by something else. */
  leastHeldShare: 0.1,
  /** From here on shares of the time in which it was held are told as shares of the time. */
  mostlyHeldShare: 0.8,
  /** From here on the card is what the job waits for, and below it the card waits. */
  busyShare: 0.5,
  /** Below this it hardly works at all. */
  leastBusy: 0.02,
  /** Of what the card did while the job held it: less was done for the job, and the rest for others. */
  ownShare: 0.8,
  /** Others who were on it for less of that time did not keep the job waiting. */
  leastSharedShare: 0.1,
  /** A job for which the card works less than this, and that keeps no core busy, does not want it. */
  leastContendedShare: 0.1,
  heatShare: 0.2,
  powerShare: 0.5,
  /** Of the fastest clock. */
  throttledClockShare: 0.85,
  /** Of its multiprocessors, while any kernel ran, the mean share that had work: 0.001 for a loop of one-block kernels. */
  smallKernelShare: 0.25,
  /** Of a unit, its mean use in the time that the card worked: a matrix product reaches 0.94. */
  tensorShare: 0.5,
  /** Of the bandwidth: a stream through memory reaches 0.86. */
  dramShare: 0.6,
  arithmeticShare: 0.6,
  /** What a job with one core can bring over PCIe from ordinary memory, and what NVLink is not used for by the way. */
  pcieBytesPerSecond: 4e9,
  nvlinkBytesPerSecond: 40e9,
  /** Of the job's duration. */
  storageShare: 0.2,
  coreShare: 0.25,
  /** While it held a card: one that only holds it uses next to nothing. */
  feedingCores: 0.3,
} as const

/** From where on the shipped alerts, and those of a training callback, speak up. */
export const alertPolicy = {
  /** Below it a card is under-used. */
  gpuUsedPercent: 50,
  machineMemoryPercent: 90,
  /** Of the time in which a job was at work. */
  ioWaitPercent: 30,
  gpuCelsius: 80,
  memoryLimitPercent: 90,
  stuckSeconds: 600,
  /** Of one core; less is the timer of a program that waits. */
  stuckCpuPercent: 1,
  gpuUntouchedSeconds: 600,
  /** How long what is wrong must last before it is told. */
  dwellSeconds: 60,
} as const
