import { compareBenchmarks } from '../../analysis/benchmark/benchmark-comparison.ts'
import { benchmarkComparisonJson } from '../../render/benchmark/comparison-json.ts'
import { benchmarkJson } from '../../render/benchmark/json.ts'
import { benchmarkMarkdown } from '../../render/benchmark/markdown.ts'
import { benchmarkPage } from '../../render/benchmark/page.ts'
import { benchmarkComparisonText, benchmarkText } from '../../render/benchmark/text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import {
  benchmarkWords,
  findBenchmark,
  gatherBenchmark,
} from '../../service/benchmark/find-benchmark.ts'
import { UserError } from '../../service/user-error.ts'
import { whyNot } from '../../model/reading.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { openReader } from '../ledger/ledger.ts'

const definition = defineCommand({
  name: 'benchmark report',
  aliases: [],
  summary: 'Shows a benchmark: figures of each cell, speed-up, failed runs and outliers.',
  usage: 'benchmark report [BENCHMARK] [options]',
  description: 'JSON output has the whole record of each run.',
  arguments: [{ name: 'benchmark', required: false, says: `${benchmarkWords} (default: last)` }],
  options: {
    against: { type: 'string', value: 'NAME', says: 'compare it with this baseline or benchmark' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      says: 'write it to a file instead of printing it',
    },
    ...globalOptions,
    format: {
      type: 'choice',
      choices: ['table', 'json', 'markdown', 'html'],
      default: 'table',
      says: 'output format',
    },
  },
  examples: [
    'jobmeter benchmark report',
    'jobmeter benchmark report solve --format markdown',
    'jobmeter benchmark report last --against v1 --format html -o solve.html',
  ],
})

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const system = realSystem({ ownsProcess: false })
  const reader = openReader(system, options.db)
  const result = await gatherBenchmark(
    reader,
    await findBenchmark(reader, given.benchmark ?? 'last'),
  )
  const baseline =
    options.against === undefined
      ? null
      : await gatherBenchmark(reader, await findBenchmark(reader, options.against))
  await reader.close()
  const json = benchmarkJson(result)
  const comparison =
    baseline === null ? null : benchmarkComparisonJson(compareBenchmarks(baseline, result))
  const style = console.style(1)
  const texts = {
    json: () => `${jsonText({ ...json, comparison }, 2)}\n`,
    markdown: () => benchmarkMarkdown(json, comparison),
    html: () => benchmarkPage(json, comparison),
    table: () =>
      benchmarkText(json, style) +
      (comparison === null ? '' : `\n${benchmarkComparisonText(comparison, style)}`),
  }
  const text = texts[options.format]()
  if (options.output === undefined) {
    console.print(text)
    return 0
  }
  const saved = system.files.save(options.output, [new TextEncoder().encode(text)], 'page')
  if (saved.kind !== 'ok')
    throw new UserError(`the report was not written: ${whyNot(saved)}. Name another file with -o`)
  console.note(`wrote ${options.output}\n`)
  return 0
})
