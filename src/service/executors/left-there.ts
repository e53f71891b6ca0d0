/** An attempt that a killed runner has left at a place elsewhere, by what it is found there. */
export interface LeftThere<Handle> {
  readonly taskId: string
  readonly handle: Handle
}
