/**
 * What one of each thing costs, as measured: `bench/team-ledger.ts` prints all of these. Times are CPU time of the server, so that
 * it does not matter who else used the machine.
 */
export const costs = {
  /** To connect, to say who one is, and to learn what the team has. */
  connectMs: 16,
  /** A batch with a single record and its samples. */
  batchMs: 12,
  /** Each further record of a batch, with 200 samples. */
  recordMs: 0.14,
  /** In `attempt`, with its indexes. */
  recordBytes: 1190,
  /** In `sample_chunk`, packed. */
  sampleBytes: 43,
  /** A minute of a node with three jobs: a round and a row for each job. */
  nodeMinuteBytes: 780,
  nodeMinuteRows: 4,
} as const
