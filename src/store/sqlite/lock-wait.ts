/** What to do while another has the ledger locked. */
export interface LockWait {
  /** After so long it is an error. */
  readonly milliseconds: number
  /** Called once it takes longer than anyone should hold a lock, before the long wait. */
  readonly onLong?: () => void
}
