import type { BenchmarkDefinition, MatrixAxis } from '../../model/benchmark.ts'
import { describeJob } from '../../model/describe-job.ts'
import type { MeasureOptions } from '../../record/measure-options.ts'
import { UserError } from '../user-error.ts'

/** What may be asked of a benchmark; everything has a default. */
export interface BenchmarkWishes {
  readonly name?: string
  /** `cpu` hides the GPUs from the command. It stands for `{device}` in the command, and is recorded. */
  readonly device?: string
  /** Runs that are counted; 5 by default. */
  readonly runs?: number
  /** Runs before those, which are not counted; 1 by default. */
  readonly warmup?: number
  /** Values that stand for `{name}` in the command, and are in its environment; `cpus` is also what it asks for. */
  readonly matrix?: Readonly<Record<string, readonly (string | number)[]>>
  readonly params?: Readonly<Record<string, unknown>>
  /** Saves the benchmark under this name if no run fails. */
  readonly saveBaseline?: string
  readonly workingDirectory?: string
  readonly timeoutSeconds?: number
  /** Time between samples; 1 by default. */
  readonly intervalSeconds?: number
  /** Ends the run at hand and makes no more. */
  readonly signal?: AbortSignal
}

/** A benchmark that can be run. */
export interface BenchmarkRequest {
  readonly definition: BenchmarkDefinition
  readonly device: string | undefined
  readonly saveBaseline: string | undefined
  /** How each run is measured. */
  readonly measuring: Pick<
    MeasureOptions,
    | 'workingDirectory'
    | 'stdout'
    | 'stderr'
    | 'intervalSeconds'
    | 'timeoutSeconds'
    | 'signal'
    | 'onProblem'
  >
}

export const usualBenchmark = { runs: 5, warmup: 1, intervalSeconds: 1 } as const

export const benchmarkLimits = {
  runs: { min: 1, max: 10_000 },
  warmup: { min: 0, max: 1000 },
} as const

/** More cells than this are a mistake: nobody waits for them. */
const mostCells = 1000

/** Throws where that makes no sense. What the command prints is discarded unless `showOutput` is set. */
export function benchmarkRequest(
  command: readonly string[],
  wishes: BenchmarkWishes,
  { showOutput, onProblem }: { showOutput: boolean; onProblem: (problem: string) => void },
): BenchmarkRequest {
  if (command.length === 0) throw new UserError('the command has no words', 'usage')
  const { workingDirectory, timeoutSeconds, signal } = wishes
  const directory = workingDirectory ?? process.cwd()
  return {
    definition: {
      name: wishes.name ?? describeJob(command, { workingDirectory: directory }).name,
      command,
      runs: runsIn(wishes, 'runs'),
      warmup: runsIn(wishes, 'warmup'),
      matrix: matrixIn(wishes),
      params: wishes.params ?? {},
    },
    device: wishes.device,
    saveBaseline: baselineIn(wishes),
    measuring: {
      ...(showOutput ? {} : { stdout: '/dev/null', stderr: '/dev/null' }),
      intervalSeconds: wishes.intervalSeconds ?? usualBenchmark.intervalSeconds,
      ...(workingDirectory === undefined ? {} : { workingDirectory }),
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
      ...(signal === undefined ? {} : { signal }),
      onProblem,
    },
  }
}

function runsIn(wishes: BenchmarkWishes, key: 'runs' | 'warmup'): number {
  const amount = wishes[key] ?? usualBenchmark[key]
  const { min, max } = benchmarkLimits[key]
  if (Number.isSafeInteger(amount) && amount >= min && amount <= max) return amount
  throw new UserError(`${key} is ${amount}; it is a whole number from ${min} to ${max}`, 'usage')
}

/** Who asks for `3` or `last` means a benchmark, and would never get the baseline. */
function baselineIn({ saveBaseline }: BenchmarkWishes): string | undefined {
  if (saveBaseline === undefined || !/^(\s*|\d+|last)$/i.test(saveBaseline)) return saveBaseline
  throw new UserError(
    `"${saveBaseline}" cannot name a baseline: numbers are the ids of benchmarks, and last is the newest. Take a word, such as v1`,
    'usage',
  )
}

function matrixIn({ matrix = {} }: BenchmarkWishes): MatrixAxis[] {
  const axes = Object.entries(matrix).map(([name, values]) => axisOf(name, values.map(String)))
  const cells = axes.reduce((product, { values }) => product * values.length, 1)
  if (cells > mostCells)
    throw new UserError(`the matrix has ${cells} cells; at most ${mostCells} are run`, 'usage')
  return axes
}

function axisOf(name: string, values: readonly string[]): MatrixAxis {
  // A name of an environment variable, and of a placeholder.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new UserError(
      `"${name}" cannot name a matrix parameter: only letters, digits and _ can, and no digit comes first`,
      'usage',
    )
  if (values.length === 0) throw new UserError(`${name} has no values in the matrix`, 'usage')
  if (new Set(values).size < values.length)
    throw new UserError(`${name} has the same value twice in the matrix`, 'usage')
  return { name, values }
}
