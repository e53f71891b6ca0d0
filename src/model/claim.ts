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
