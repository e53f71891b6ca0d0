import {
  regressionIn,
  type BenchmarkComparison,
} from '../../analysis/benchmark/benchmark-comparison.ts'
import { comparedMetrics, type ComparedMetric } from '../../analysis/compare/compared-run.ts'
import type { OptionTable } from '../command/define.ts'
import type { Console } from '../terminal/console.ts'

export const regressionOptions = {
  'fail-on-regression': {
    type: 'boolean',
    says: 'exit with 1 if a cell is worse by more than noise, with 2 if that cannot be judged',
  },
  allow: {
    type: 'number',
    value: 'PERCENT',
    default: 0,
    min: 0,
    example: '5',
    says: 'how much worse a figure may become before it is called a regression',
  },
  metric: {
    type: 'choice',
    choices: comparedMetrics,
    default: 'duration',
    says: 'the figure that --fail-on-regression checks',
  },
} as const satisfies OptionTable

/** The exit code of who asked for one. */
export function regressionExit(
  comparison: BenchmarkComparison,
  options: { readonly 'fail-on-regression': boolean; readonly metric: ComparedMetric },
  console: Console,
): number {
  const { metric } = options
  if (!options['fail-on-regression']) return 0
  switch (regressionIn(comparison, metric)) {
    case 'regression':
      console.complain(`${metric} is worse, by more than noise`)
      return 1
    case 'cannot-judge':
      // A check that could never fail would be worse than none.
      console.complain(
        `${metric} cannot be judged: there are too few runs for so many cells, or cells without a counterpart`,
      )
      return 2
    case 'none':
      return 0
  }
}
