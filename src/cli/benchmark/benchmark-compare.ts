import { benchmarkComparisonJson } from '../../render/benchmark/comparison-json.ts'
import { benchmarkComparisonMarkdown } from '../../render/benchmark/markdown.ts'
import { benchmarkComparisonText } from '../../render/benchmark/text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { compareNamed } from '../../service/benchmark/compare-named.ts'
import { benchmarkWords } from '../../service/benchmark/find-benchmark.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openReader } from '../ledger/ledger.ts'
import { regressionExit, regressionOptions } from './regression-options.ts'

const definition = defineCommand({
  name: 'benchmark compare',
  aliases: [],
  summary: 'Compares two benchmarks, and says whether they differ by more than noise.',
  usage: 'benchmark compare A B [options]',
  description:
    'Uses a one-sided rank test (Mann-Whitney) on each cell, corrected for their number (Holm): where nothing changed, a figure is called worse in at most 5 of 100 comparisons. Runs that did not succeed are left out.',
  arguments: [
    { name: 'a', required: true, says: `what to compare with: ${benchmarkWords}` },
    { name: 'b', required: true, says: 'what is compared, in the same form' },
  ],
  options: {
    ...regressionOptions,
    ...globalOptions,
    format: {
      type: 'choice',
      choices: ['table', 'json', 'markdown'],
      default: 'table',
      says: 'output format',
    },
  },
  examples: [
    'jobmeter benchmark compare v1 last',
    'jobmeter benchmark compare v1 solve --fail-on-regression --allow 5',
    'jobmeter benchmark compare 3 4 --format markdown',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const reader = openReader(realSystem({ ownsProcess: false }), options.db)
  const comparison = await compareNamed(reader, given.a, given.b, options.allow)
  await reader.close()
  const json = benchmarkComparisonJson(comparison)
  console.print(
    options.format === 'json'
      ? `${jsonText(json, 2)}\n`
      : options.format === 'markdown'
        ? benchmarkComparisonMarkdown(json)
        : benchmarkComparisonText(json, console.style(1)),
  )
  return regressionExit(comparison, options, console)
})
