const separator = '|'

/** The cells of a line that Slurm prints with `--parsable2` or `--parsable`, by the names above them. */
export class SlurmTable {
  readonly names: readonly string[]

  constructor(heading: string) {
    this.names = cellsOf(heading).map((name) => name.trim().toLowerCase())
  }

  has(name: string): boolean {
    return this.names.includes(name)
  }

  /** How many cells there are instead, where it is not a line of this table. */
  row(line: string): ReadonlyMap<string, string> | number {
    const cells = cellsOf(line)
    // With `--parsable` there is one more, which is empty.
    if (cells.length === this.names.length + 1 && cells.at(-1) === '') cells.pop()
    if (cells.length !== this.names.length) return cells.length
    return new Map(this.names.map((name, at) => [name, cells[at] ?? '']))
  }
}

const cellsOf = (line: string): string[] => line.split(separator)
