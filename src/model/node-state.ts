import type { NodeDevice } from './node-round.ts'

/** How a node was at its last round, and the most that any round of a stretch of time had. */
export interface NodeState {
  readonly host: string
  /** Null where nobody told which boot of the host it was. */
  readonly epoch: string | null
  /** When its last round was taken, in seconds since 1970, and how much time that covers. */
  readonly at: number
  readonly seconds: number
  /** Null where the tool that looked did not tell. */
  readonly cores: number | null
  readonly memoryTotalBytes: number | null
  readonly gpus: number | null
  readonly gpuMemoryTotalBytes: number | null
  readonly latest: NodeFigures
  /** Null where no round of that time is kept. */
  readonly peak: NodeFigures | null
  /** Each core: how much of the time it was busy. */
  readonly coreShares: readonly { readonly latest: number; readonly peak: number }[]
  readonly devices: readonly DeviceState[]
}

export interface NodeFigures {
  readonly busyCores: number | null
  readonly load: number | null
  readonly memoryBytes: number | null
  readonly swapBytes: number | null
  readonly ioWaitCores: number | null
  readonly processes: number | null
  readonly threads: number | null
  readonly zombies: number | null
}

export interface DeviceState extends Pick<NodeDevice, 'kind' | 'name'> {
  /** Whether the last round of its node had it. */
  readonly isThere: boolean
  readonly latest: DeviceFigures
  readonly peak: DeviceFigures | null
}

export interface DeviceFigures {
  readonly inBytesPerSecond: number | null
  readonly outBytesPerSecond: number | null
  readonly busyShare: number | null
  readonly watts: number | null
  readonly memoryBytes: number | null
}
