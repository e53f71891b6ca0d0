import type { NodeRound, NodeUse } from './node-round.ts'

/** The highest figures of single rounds, where a row stands for several. */
export interface JobPeaks {
  readonly cpuCores: number | null
  readonly memoryBytes: number | null
  readonly gpuMemoryBytes: number | null
}

/** What a job did before the first round that is looked at. */
export interface JobPast {
  readonly firstSeen: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly cpuPeakCores: number
  readonly memoryPeakBytes: number | null
  readonly gpuSeconds: number | null
  readonly gpus: number | null
  /** The busiest hour, in GPUs. */
  readonly gpusPeak: number | null
  readonly gpuMemoryPeakBytes: number | null
}

/** What a node did, where it may not be known what it has: other tools do not always tell. */
export interface JudgedUse extends Omit<NodeUse, 'cores' | 'gpus'> {
  readonly cores: number | null
  readonly gpus: number | null
}

/** A round as policies judge it: one of the agent, or one of the past. */
export interface JudgedRound extends Omit<NodeRound, 'node'> {
  readonly node: JudgedUse
}

/** A round, or several rolled up to one: then amounts are sums, memory is a mean, and counts are peaks. */
export interface PastRound extends JudgedRound {
  /** In the order of the jobs. */
  readonly peaks: readonly JobPeaks[]
}

/** What rows of the past stand for. */
export const pastTables = ['single rounds', 'five minutes', 'hours'] as const
export type PastTable = (typeof pastTables)[number]
