import type { NodeJob, NodeRound, NodeUse } from './node-round.ts'

type Unmeasured = 'cpuSeconds' | 'processes' | 'threads' | 'zombies'
type OrUnmeasured<T, Names extends keyof T> = Omit<T, Names> & {
  readonly [Name in Names]: T[Name] | null
}

/** A job as another tool saw it: what that does not tell is null. */
export interface ImportedJob extends OrUnmeasured<NodeJob, Unmeasured> {
  /** Tells one job of this id from others: a boot, or when it was first seen. */
  readonly epoch: string
}

export type ImportedUse = OrUnmeasured<NodeUse, Unmeasured | 'cores' | 'gpus'>

/** What another tool saw of a node at a moment. Where nothing is known of the time before, it covers 0 seconds. */
export interface ImportedRound extends Omit<NodeRound, 'node' | 'jobs' | 'lostRecords' | 'epoch'> {
  /** Tells one boot of the host from all others, where that is known. */
  readonly epoch: string | null
  readonly node: ImportedUse
  readonly jobs: readonly ImportedJob[]
}
