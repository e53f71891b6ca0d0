import type { Requirements } from './job.ts'

/** How many cores, bytes and GPUs: what a job takes while it runs, or what is free. */
export interface Claim {
  readonly cpus: number
  readonly memoryBytes: number
  readonly gpus: number
}

/** A job that did not say counts as one CPU, and as no memory. */
export const claimOf = (requirements: Requirements): Claim => ({
  cpus: requirements.cpus ?? 1,
  memoryBytes: requirements.memoryBytes ?? 0,
  gpus: requirements.gpus ?? 0,
})

export const together = (one: Claim, other: Claim): Claim => ({
  cpus: one.cpus + other.cpus,
  memoryBytes: one.memoryBytes + other.memoryBytes,
  gpus: one.gpus + other.gpus,
})

/** A thousandth of a core: 0.1 taken ten times is not quite 1. */
const toleratedCpus = 0.001

export const fitsIn = (claim: Claim, free: Claim): boolean =>
  claim.cpus <= free.cpus + toleratedCpus &&
  claim.memoryBytes <= free.memoryBytes &&
  claim.gpus <= free.gpus
