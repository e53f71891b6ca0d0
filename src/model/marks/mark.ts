/** A moment in the life of a job that its own program told of. */
export interface Mark {
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Since the job started. */
  readonly elapsedSeconds: number
  readonly step: number | null
  readonly epoch: number | null
  readonly phase: string | null
  readonly message: string | null
}

/** In the environment of a job: the file to which it may write marks. It is not there until then. */
export const marksVariable = 'JOBMETER_MARKS'

/** What of a job's marks is kept. More is told, and left out: a job must not fill the ledger. */
export const markLimits = {
  fileBytes: 8 * 2 ** 20,
  lineBytes: 4096,
  /** A line that is not understood takes some 10 µs, and four million of them fit into the bytes. */
  lines: 50_000,
  marks: 20_000,
  phaseLength: 200,
  messageLength: 1000,
} as const
