import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { statisticsOf } from '../../analysis/job/job-statistics.ts'
import { benchmarkJson } from '../../render/benchmark/json.ts'
import { benchmarkListJson } from '../../render/benchmark/list.ts'
import { comparisonJson } from '../../render/reports/compare/json.ts'
import { scalingJson } from '../../render/reports/scaling/json.ts'
import { gatherBenchmark } from '../../service/benchmark/find-benchmark.ts'
import { compareNamed } from '../../service/reports/comparison.ts'
import { scalingReport } from '../../service/reports/scaling-report.ts'
import { findRuns } from '../../service/run-sets.ts'
import { visibleLedger } from '../access/visible-ledger.ts'
import { Problem } from '../problem.ts'
import { comparison, doctor, scaling, statistics } from '../schemas/analysis.ts'
import { benchmark, benchmarks } from '../schemas/benchmark.ts'
import type { Served, ServerEnv } from '../served.ts'
import { operation, serve } from './operation.ts'
import { yesOrNo } from './query.ts'

const set = z.string().min(1).max(2000).openapi({
  description:
    'runs: a name, a task id or the start of one, `last`, name:NAME, tag:TAG, workflow:ID or workflow:ID/RUN; several with commas between',
  example: 'name:train',
})

const getStatistics = operation({
  id: 'getStatistics',
  path: '/api/v1/statistics',
  tag: 'Analyses',
  summary: 'Totals over all recorded jobs, and by tool',
  answer: statistics,
})

const getScaling = operation({
  id: 'getScaling',
  path: '/api/v1/scaling',
  tag: 'Analyses',
  summary: 'How much of a node each run kept busy, and whether more workers would help',
  query: {
    runs: set,
    param: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .openapi({ description: 'the parameter that tells the number of workers' }),
  },
  answer: scaling,
})

const getComparison = operation({
  id: 'getComparison',
  path: '/api/v1/comparison',
  tag: 'Analyses',
  summary: 'Whether two sets of runs differ by more than noise',
  query: { left: set, right: set, include_failed: yesOrNo('runs that did not succeed, too') },
  answer: comparison,
})

const listBenchmarks = operation({
  id: 'listBenchmarks',
  path: '/api/v1/benchmarks',
  tag: 'Analyses',
  summary: 'Benchmarks, newest first',
  answer: benchmarks,
})

const getBenchmark = operation({
  id: 'getBenchmark',
  path: '/api/v1/benchmarks/{benchmark_id}',
  tag: 'Analyses',
  summary: 'A benchmark with its cells and runs',
  params: {
    benchmark_id: z.coerce
      .number()
      .int()
      .min(1)
      .max(2 ** 31)
      .openapi({ description: 'its number in the ledger', example: 1 }),
  },
  answer: benchmark,
})

const getDoctor = operation({
  id: 'getDoctor',
  path: '/api/v1/doctor',
  tag: 'Analyses',
  summary: 'What can be measured on this machine, by which means, and how to enable the rest',
  answer: doctor,
})

export function analysisRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { ledger } = served
  serve(api, getStatistics, async ({ viewer }) =>
    statisticsOf(await visibleLedger(ledger, viewer).jobs.tally()),
  )
  serve(api, getScaling, async ({ query, viewer }) => {
    const records = await findRuns(visibleLedger(ledger, viewer), query.runs)
    const { chosen, scaling: found } = scalingReport(records, query.param)
    return scalingJson(records, chosen, found)
  })
  serve(api, getComparison, async ({ query: { left: a, right: b, include_failed }, viewer }) => {
    const names = { a, b }
    const found = await compareNamed(visibleLedger(ledger, viewer), names, include_failed)
    return comparisonJson(found, names)
  })
  serve(api, listBenchmarks, async ({ viewer }) => ({
    benchmarks: benchmarkListJson(await visibleLedger(ledger, viewer).benchmarks.list()),
  }))
  serve(api, getBenchmark, async ({ params, viewer }) => {
    const reader = visibleLedger(ledger, viewer)
    const head = await reader.benchmarks.find(params.benchmark_id)
    if (head === undefined) throw new Problem(404, 'No benchmark has this number.')
    return benchmarkJson(await gatherBenchmark(reader, head))
  })
  serve(api, getDoctor, () => served.doctor())
}
