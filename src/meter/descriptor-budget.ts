/** Descriptors kept open for watching, shared by all jobs; when none is left, files are opened for each look. */
export class DescriptorBudget {
  #left: number

  constructor(limit: number) {
    this.#left = limit
  }

  take(): boolean {
    if (this.#left <= 0) return false
    this.#left -= 1
    return true
  }

  giveBack(): void {
    this.#left += 1
  }
}
