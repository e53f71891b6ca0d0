/** What went wrong while a job was recorded. The job comes first, so that is only told at the end, and once. */
export class Losses {
  readonly problems: string[] = []

  try(loss: string, write: () => void): void {
    try {
      write()
    } catch (error) {
      this.note(loss, error)
    }
  }

  note(loss: string, error: unknown): void {
    const problem = `${loss}: ${error instanceof Error ? error.message : String(error)}`
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }
}
