/** One process of a sample, or several that Sonar rolled into one. Null is "not told". */
export interface SonarProcess {
  /** 0 where it stands for several, or is not known. */
  readonly pid: number
  readonly parentPid: number
  readonly command: string
  /** Of all its life, with the children that it has waited for. */
  readonly cpuSeconds: number | null
  readonly readKib: number | null
  readonly writtenKib: number | null
  readonly memoryKib: number | null
  readonly gpuMemoryKib: number | null
  /** 1 is one whole card. */
  readonly gpuShare: number | null
  /** The cards that it is on. */
  readonly cards: readonly string[]
  readonly processes: number
  readonly threads: number | null
  readonly isZombie: boolean
}

export interface SonarJob {
  readonly kind: 'slurm' | 'session' | 'rolled-up'
  readonly id: string
  /** Tells this id from the same one after a reboot; null where the format does not. */
  readonly epoch: string | null
  readonly user: string
  readonly processes: readonly SonarProcess[]
}

/** What a node has. */
export interface SonarCapacity {
  readonly cores: number | null
  readonly memoryKib: number | null
  readonly gpus: number | null
  readonly gpuMemoryKib: number | null
}

/** One look at a node, whichever format it was written in. Times are seconds since 1970. */
export interface SonarSample {
  readonly host: string
  readonly at: number
  readonly bootedAt: number | null
  /** Of each core, since the boot. */
  readonly coreSeconds: readonly number[] | null
  readonly load: number | null
  readonly usedMemoryKib: number | null
  readonly gpuShare: number | null
  readonly gpuMemoryKib: number | null
  readonly gpuWatts: number | null
  readonly capacity: SonarCapacity
  readonly jobs: readonly SonarJob[]
}
