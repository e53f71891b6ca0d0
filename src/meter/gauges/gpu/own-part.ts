/** What the job's own processes do on a card, as of the last look. */
export interface OwnPart {
  /** Of the processes on it, how many are the job's. */
  count: number
  /** Which processes are the job's cannot be told: then the card's figures stand for the job's. */
  isUnknown: boolean
  /** The card's work stands for the job's, because whose it was is not told. */
  isWholeCard: boolean
  memoryBytes: number
  /** Of the whole card; NaN where it cannot be told from what others do. */
  utilizationPercent: number
}
