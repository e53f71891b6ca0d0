/**
 * What one of each thing costs, as measured: `bench/team-ledger.ts` prints these, and `bench/queue-cost.ts` those of the queue. Times are CPU time of the server, so that
 * it does not matter who else used the machine.
 */
export const costs = {
  /** To connect, to say who one is, and to learn what the team has. */
  connectMs: 16,
  /** A batch with a single record and its samples. */
  batchMs: 12,
  /** Each further record of a batch, with 200 samples. */
  recordMs: 0.16,
  /** In `attempt`, with its indexes; that of words has 250 of them. */
  recordBytes: 1440,
  /** In `sample_chunk`, packed. */
  sampleBytes: 43,
  /** A minute of a node with three jobs: a round and a row for each job. */
  nodeMinuteBytes: 780,
  nodeMinuteRows: 4,
  queue: {
    /** A job by itself, as `jobmeter submit` does. */
    submit: { ms: 1.25, statements: 8 },
    /** One of many that are submitted at once. */
    submitOfMany: { ms: 0.033, statements: 0 },
    /** From its place in the queue to its result, with the record that its worker sends; a short job, many at a time. */
    run: { ms: 0.8, statements: 0.39 },
    /** A worker that has nothing to do asks for work now and then, renews its lease and sends nothing. */
    idleWorkerSecond: { ms: 1, statements: 0.83 },
    waiting: { rows: 2, bytes: 780 },
    /** After all of them have been through; what pg-boss had of it is used again. */
    ended: { rows: 2, bytes: 4240 },
    /** One to exchange, one to renew its lease, one or two of what sends its ledger. */
    workerConnections: 3.5,
  },
} as const
