import type {
  BenchmarkCell,
  BenchmarkDefinition,
  BenchmarkTurn,
  MatrixAxis,
} from '../../model/benchmark.ts'

/** Every combination of values; the last parameter changes fastest. One empty cell without a matrix. */
export function cellsOf(matrix: readonly MatrixAxis[]): BenchmarkCell[] {
  return matrix.reduce<BenchmarkCell[]>(
    (cells, { name, values }) =>
      cells.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value }))),
    [{}],
  )
}

/**
 * All runs in the order in which they are made: round by round, each round once through all cells, and every other round
 * backwards. A machine that slows down steadily then slows all cells alike: over two rounds, each cell has the same mean
 * place in the order.
 */
export function turnsOf({
  matrix,
  runs,
  warmup,
}: Pick<BenchmarkDefinition, 'matrix' | 'runs' | 'warmup'>): BenchmarkTurn[] {
  const cells = cellsOf(matrix)
  const rounds = (count: number, isWarmUp: boolean): BenchmarkTurn[] =>
    Array.from({ length: count }, (_, round) =>
      (round % 2 === 0 ? cells : cells.toReversed()).map((cell) => ({
        cell,
        runNumber: round + 1,
        isWarmUp,
      })),
    ).flat()
  return [...rounds(warmup, true), ...rounds(runs, false)]
}

/** The command with the cell's values in place of `{name}`. Other braces are the command's own. */
export function filledIn(command: readonly string[], cell: BenchmarkCell): string[] {
  return command.map((word) =>
    word.replace(/\{([^{}]+)\}/g, (braces, name: string) =>
      Object.hasOwn(cell, name) ? (cell[name] ?? braces) : braces,
    ),
  )
}
