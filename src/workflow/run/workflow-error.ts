/** Why a workflow cannot be run, or not further; what to do about it is in the message. */
export class WorkflowError extends Error {
  override readonly name = 'WorkflowError'
  readonly details: readonly string[]

  constructor(message: string, details: readonly string[] = []) {
    super([message, ...details].join('\n'))
    this.details = details
  }
}
