/** Many hosts over the same steps of time. */
export interface NodeWall {
  /** In seconds since 1970; each step is as long. */
  readonly from: number
  readonly stepSeconds: number
  readonly hosts: readonly WalledHost[]
}

/** A host at its last round, and its curves: a value for each step, null where nobody looked or it was not measured. */
export interface WalledHost {
  readonly host: string
  /** When its last round was taken, and how much time that covers. */
  readonly at: number
  readonly seconds: number
  readonly cores: number | null
  readonly memoryTotalBytes: number | null
  readonly gpus: number | null
  readonly latest: HostLevels
  readonly busyCores: readonly (number | null)[]
  readonly memoryBytes: readonly (number | null)[]
  readonly busyGpus: readonly (number | null)[]
  /** Of the last round of each step. */
  readonly load: readonly (number | null)[]
}

export interface HostLevels {
  readonly busyCores: number | null
  readonly memoryBytes: number | null
  readonly busyGpus: number | null
  readonly load: number | null
}

/** One host over time, as finely as it is still known. */
export interface HostCurve {
  readonly kind: 'rounds' | 'five minutes' | 'hours'
  readonly rounds: readonly HostRound[]
  readonly devices: readonly DeviceCurve[]
}

/** What a host did in a stretch of time; only rounds tell its load, its swap, its waiting and its network. */
export interface HostRound extends HostLevels {
  /** When the stretch ended, in seconds since 1970, and how much of it was looked at. */
  readonly to: number
  readonly seconds: number
  readonly cores: number | null
  readonly memoryTotalBytes: number | null
  readonly gpus: number | null
  readonly gpuMemoryTotalBytes: number | null
  readonly gpuMemoryBytes: number | null
  readonly swapBytes: number | null
  readonly ioWaitCores: number | null
  readonly processes: number | null
  readonly threads: number | null
}

export interface DeviceCurve {
  readonly kind: 'disk' | 'interface' | 'gpu'
  readonly name: string
  readonly rounds: readonly DeviceRound[]
}

export interface DeviceRound {
  readonly to: number
  readonly seconds: number
  readonly inBytesPerSecond: number | null
  readonly outBytesPerSecond: number | null
  readonly busyShare: number | null
  readonly watts: number | null
  readonly memoryBytes: number | null
}
