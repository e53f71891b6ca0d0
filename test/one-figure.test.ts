import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { execute as exportRecords } from '../src/cli/ledger/export.ts'
import { execute as show } from '../src/cli/ledger/job-details.ts'
import { execute as history } from '../src/cli/ledger/job-history.ts'
import { execute as report } from '../src/cli/reports/report.ts'
import { writePlots } from '../src/cli/reports/plot-files.ts'
import { execute as reportsJob } from '../src/cli/reports/reports-job.ts'
import { execute as utilization } from '../src/cli/reports/reports-utilization.ts'
import { execute as results } from '../src/cli/workflows/results-list.ts'
import { atLeast, measured, unmeasured, type Measured } from '../src/model/measured.ts'
import { noRequirements } from '../src/model/job.ts'
import { emptyUsage, type Usage } from '../src/model/usage.ts'
import { resultKeys } from '../src/render/workflow/results-rows.ts'
import { makeSeriesFile } from '../src/store/series/series-file.ts'
import { realSystem } from '../src/system/real.ts'
import { someEnd, someSamples, someStart } from './contracts/attempts.ts'
import { someJob, someRun, someWorkflow, WorkflowInLedger } from './contracts/workflows.ts'
import { LedgerFolder } from './ledger-folder.ts'
import { readTold, untruth, type ToldFigure } from './told-figure.ts'

const folder = new LedgerFolder()
const system = realSystem({ ownsProcess: false })

/** `busyCores` are made of two others: CPU time over the duration. */
type Figure = (typeof resultKeys)[number] | 'durationSeconds' | 'busyCores'
/** What one surface tells; not every one tells every figure. */
type Told = Partial<Record<Figure, ToldFigure>>

const anyMeasured = (max: number, min = 0.1): fc.Arbitrary<Measured> => {
  const value = fc.oneof(
    fc.double({ min, max, noNaN: true }),
    fc.integer({ min: Math.ceil(min), max }),
  )
  return fc.oneof(
    value.map((one) => measured(one, 'cgroup')),
    value.map((one) => atLeast(one, 'looks')),
    fc.constant(unmeasured('nobody looked')),
  )
}

const anyAttempt = fc.record({
  cpuTotalSeconds: anyMeasured(1e6),
  cpuPercentPeak: anyMeasured(12_800),
  cpuPercentMean: anyMeasured(12_800),
  memoryPeakBytes: anyMeasured(2 ** 42, 2 ** 18),
  memoryMeanBytes: anyMeasured(2 ** 42, 2 ** 18),
  durationSeconds: fc.double({ min: 0.01, max: 200_000, noNaN: true }),
  /** Of the samples, which need not agree with any of it. */
  memoryBytes: fc.array(fc.integer({ min: 0, max: 2 ** 42 }), { minLength: 2, maxLength: 20 }),
  cpuStep: fc.double({ min: 0, max: 128, noNaN: true }),
})
type AnyAttempt = typeof anyAttempt extends fc.Arbitrary<infer One> ? One : never

/** An attempt of a workflow's job in the ledger, and its run's series file; answers its id and that path. */
function record(attempt: AnyAttempt, number: number) {
  const { ledger, directory } = folder
  const outputDirectory = join(directory, 'out')
  const workflow = new WorkflowInLedger(ledger, someWorkflow([someJob('train')]))
  ledger.workflows.beginRun(workflow.id, { ...someRun, outputDirectory })
  const taskId = number.toString(16).padStart(32, '0')
  const jobId = workflow.jobId('train')
  // A little of each, so that every check has something to say.
  const requirements = { ...noRequirements, cpus: 1, memoryBytes: 2 ** 20, runtimeSeconds: 1 }
  const start = someStart(taskId, {
    job: { name: 'train', requirements },
    startedAt: 1_700_000_000 + number,
  })
  const place = { jobId, workflowId: workflow.id, runId: 1, attempt: 1 }
  const usage: Usage = { ...emptyUsage('not in this test'), ...only(attempt) }
  const end = someEnd({ usage, durationSeconds: attempt.durationSeconds })
  ledger.jobs.finish(ledger.workflows.beginAttempt(place, start), end)
  const file = makeSeriesFile(outputDirectory, {
    ledger: folder.db,
    host: someRun.host,
    workflowId: workflow.id,
    runId: 1,
  })
  file.addJob({
    jobId,
    jobName: 'train',
    taskId,
    cores: 8,
    requestedCpus: 1,
    requestedMemoryBytes: 2 ** 20,
    requestedRuntimeSeconds: 1,
  })
  file.addAttempt({ taskId, jobId, attempt: 1, startedAt: start.startedAt })
  const count = attempt.memoryBytes.length
  const rows = someSamples(count, {
    timestamp: Array.from({ length: count }, (_, index) => start.startedAt + index),
    memory_bytes: attempt.memoryBytes,
    cpu_user_seconds: Array.from({ length: count }, (_, index) => index * attempt.cpuStep),
    cpu_system_seconds: Array.from({ length: count }, () => 0),
  })
  file.writer(jobId, 1).add(rows, count)
  file.endAttempt(taskId, end)
  file.close()
  return { taskId, jobId, workflowId: String(workflow.id), path: file.path }
}

const only = (attempt: AnyAttempt) =>
  Object.fromEntries(resultKeys.map((key) => [key, attempt[key]])) as Pick<
    Usage,
    (typeof resultKeys)[number]
  >

type Recorded = ReturnType<typeof record>
type Surface = (recorded: Recorded) => Promise<Told>

/** The words after `label: ` in a text. */
const line = (text: string, label: string): string =>
  text
    .split('\n')
    .find((one) => one.trim().startsWith(label))
    ?.trim()
    .slice(label.length)
    .trim() ?? `no line ${label}`

type NumberRow = Readonly<Record<string, number | string | null>>

/** Plain numbers, and apart from them the names of those that are lower bounds. */
function toldNumbers(
  row: NumberRow,
  names: Partial<Record<Figure, string>>,
  bounds: readonly string[],
): Told {
  return Object.fromEntries(
    Object.entries(names).map(([figure, name]) => {
      const told = readTold(String(row[name] ?? 'null'))
      return [figure, { ...told, isAtLeast: bounds.includes(name) }]
    }),
  )
}

const resultNames = {
  durationSeconds: 'exec_time_seconds',
  cpuTotalSeconds: 'cpu_seconds',
  cpuPercentPeak: 'peak_cpu_percent',
  cpuPercentMean: 'avg_cpu_percent',
  memoryPeakBytes: 'peak_memory_bytes',
  memoryMeanBytes: 'avg_memory_bytes',
} as const

const embedded = (page: string, id: string): unknown =>
  JSON.parse(new RegExp(`id="${id}">(.*?)</script>`, 's').exec(page)?.[1] ?? 'null')

interface UseJson {
  readonly text: string
  readonly mean: string | null
}

const surfaces: Readonly<Record<string, Surface>> = {
  show: async ({ taskId }) => {
    const { text } = await folder.ask(show, [taskId])
    const usageLine = (label: string) =>
      readTold(text.includes(label) ? line(text, label) : 'not measured')
    return {
      durationSeconds: readTold(line(text, 'Duration:')),
      cpuTotalSeconds: readTold(line(text, 'CPU Total Time:')),
      memoryPeakBytes: readTold(line(text, 'Memory Peak:')),
      cpuPercentMean: usageLine('mean (100 % = one core)'),
      cpuPercentPeak: usageLine('peak (1 s or whole job)'),
    }
  },
  history: async () => {
    const { text } = await folder.ask(history, ['--all', '--limit', '1'])
    return {
      durationSeconds: readTold(line(text, 'Duration:')),
      cpuTotalSeconds: readTold(line(text, 'CPU Time:').replace(/ \(.*/, '')),
      memoryPeakBytes: readTold(line(text, 'Memory Peak:')),
    }
  },
  export: async ({ taskId }) => {
    const { text } = await folder.ask(exportRecords, [])
    const found = text.split('\n').find((one) => one.includes(taskId)) ?? '{}'
    const {
      usage,
      basis,
      duration_seconds: seconds,
    } = JSON.parse(found) as {
      usage: NumberRow
      basis: Record<string, string>
      duration_seconds: number
    }
    const names = {
      cpuTotalSeconds: 'cpu_total_seconds',
      cpuPercentPeak: 'cpu_percent_peak',
      cpuPercentMean: 'cpu_percent_mean',
      memoryPeakBytes: 'memory_peak_bytes',
      memoryMeanBytes: 'memory_mean_bytes',
    }
    const bounds = Object.keys(basis).filter((name) => basis[name]?.startsWith('at least'))
    return {
      ...toldNumbers(usage, names, bounds),
      durationSeconds: readTold(String(seconds)),
    }
  },
  'results list': async ({ workflowId }) => {
    const { text } = await folder.ask(results, [workflowId])
    const [header = '', row = ''] = text.split('\n')
    const names = header.trim().split(/\s{2,}/)
    const cells = row.trim().split(/\s{2,}/)
    const cell = (name: string, unit: string) =>
      readTold(cells[names.indexOf(name)] ?? `no column ${name}`, unit)
    return {
      durationSeconds: cell('Duration', 's'),
      cpuTotalSeconds: cell('CPU Time', 's'),
      cpuPercentPeak: cell('Peak CPU %', '%'),
      cpuPercentMean: cell('Avg CPU %', '%'),
      memoryPeakBytes: cell('Peak Mem', 'B'),
      memoryMeanBytes: cell('Avg Mem', 'B'),
    }
  },
  'results list, JSON': async ({ workflowId }) => {
    const { text } = await folder.ask(results, [workflowId, '--format', 'json'])
    const [row] = (
      JSON.parse(text) as { results: readonly (NumberRow & { lower_bounds: string[] })[] }
    ).results
    return toldNumbers(row ?? {}, resultNames, row?.lower_bounds ?? [])
  },
  'results list, CSV': async ({ workflowId }) => {
    const { text } = await folder.ask(results, [workflowId, '--format', 'csv'])
    const [header = [], cells = []] = text.split('\n').map((one) => one.split(','))
    const row: NumberRow = Object.fromEntries(
      header.map((name, index) => [name, cells[index] || null]),
    )
    return toldNumbers(row, resultNames, String(row['lower_bounds'] ?? '').split(' '))
  },
  'reports job': async ({ taskId }) => {
    const { text: broken } = await folder.ask(reportsJob, [taskId])
    const text = broken.replaceAll(/\n {14}/g, ' ')
    const told = (label: string, unit: string) => {
      const use = new RegExp(
        `^\\s*${label} +(at least )?[\\d.]+ %: (.*?)${unit} of .* requested$`,
        'm',
      )
      return readTold(use.exec(text)?.[2] ?? 'not measured')
    }
    return { memoryPeakBytes: told('Memory', ''), busyCores: told('Cores', ' cores') }
  },
  'reports job, JSON': async ({ taskId }) => {
    const { text } = await folder.ask(reportsJob, [taskId, '--format', 'json'])
    const { duration_seconds: seconds, efficiency } = JSON.parse(text) as {
      duration_seconds: number
      efficiency: Record<'memory' | 'cores', { used: number | null; is_lower_bound: boolean }>
    }
    const told = ({ used, is_lower_bound: isAtLeast }: typeof efficiency.memory) => ({
      ...readTold(String(used)),
      isAtLeast,
    })
    return {
      durationSeconds: readTold(String(seconds)),
      memoryPeakBytes: told(efficiency.memory),
      busyCores: told(efficiency.cores),
    }
  },
  'reports check-resource-utilization': async ({ workflowId }) => {
    const { text } = await folder.ask(utilization, [workflowId, '--all', '--format', 'json'])
    const checks = (JSON.parse(text) as { results: readonly Record<string, string>[] }).results
    const used = (type: string) =>
      readTold(checks.find((one) => one['resource_type'] === type)?.['peak_used'] ?? 'none')
    return {
      memoryPeakBytes: used('Memory'),
      cpuPercentPeak: used('CPU'),
      durationSeconds: used('Runtime'),
    }
  },
  'report page': async ({ taskId }) => {
    const path = join(folder.directory, 'report.html')
    await folder.ask(report, [taskId, '-o', path])
    const { jobs } = embedded(readFileSync(path, 'utf8'), 'report') as {
      jobs: readonly { use: Record<'memory' | 'cpu' | 'runtime', UseJson> }[]
    }
    const use = jobs[0]?.use
    return {
      memoryPeakBytes: readTold(use?.memory.text ?? ''),
      memoryMeanBytes: readTold(use?.memory.mean ?? ''),
      cpuPercentPeak: readTold(use?.cpu.text ?? ''),
      cpuPercentMean: readTold(use?.cpu.mean ?? ''),
      durationSeconds: readTold(use?.runtime.text ?? ''),
    }
  },
  'plot summary': async ({ path }) => {
    const { data: traces, layout } = plotted(path, 'summary').figure
    const told = (name: string) =>
      readTold(traces.find((trace) => trace.name === name)?.text?.[0] ?? `no trace ${name}`)
    const drawn = (name: string) => traces.find((trace) => trace.name === name)?.y?.[0] ?? null
    const memory = told('Memory, peak')
    // The bar is as high as the words say, to what an eye can see.
    expect(drawn('Memory, peak') === null).toBe(memory.value === null)
    const bytes = { GB: 2 ** 30, MB: 2 ** 20, KB: 2 ** 10 }
    const unit = /^Memory \((GB|MB|KB)\)$/.exec(layout.yaxis.title.text)?.[1] as keyof typeof bytes
    const high = (drawn('Memory, peak') ?? 0) * bytes[unit]
    expect(Math.abs(high - (memory.value ?? 0))).toBeLessThanOrEqual(
      memory.tolerance + 0.002 * high,
    )
    return {
      memoryPeakBytes: memory,
      memoryMeanBytes: told('Memory, mean'),
      cpuPercentPeak: told('CPU, peak'),
      cpuPercentMean: told('CPU, mean'),
    }
  },
  'plot of the job': async ({ path, jobId }) => {
    // What samples show is told beside the figure, as theirs.
    const parts = plotted(path, `job_${jobId}`)
      .note.split(' · ')
      .map((one) => one.replace(/ \((samples show|in shorter steps) up to [^)]*\)$/, ''))
    const part = (label: string) =>
      readTold(parts.find((one) => one.startsWith(label))?.slice(label.length) ?? 'not measured')
    return {
      durationSeconds: part('ran '),
      memoryPeakBytes: part('memory peak '),
      memoryMeanBytes: part('memory mean '),
      cpuPercentPeak: part('CPU peak '),
      cpuPercentMean: part('CPU mean '),
    }
  },
}

interface PlotPageJson {
  readonly note: string
  readonly figure: {
    readonly data: readonly {
      readonly name: string
      readonly y?: readonly (number | null)[]
      readonly text?: readonly string[]
    }[]
    readonly layout: { readonly yaxis: { readonly title: { readonly text: string } } }
  }
}

function plotted(path: string, name: string): PlotPageJson {
  writePlots(system, { paths: [path], directory: folder.directory, prefix: 'x' })
  return embedded(
    readFileSync(join(folder.directory, `x_${name}.html`), 'utf8'),
    'page',
  ) as PlotPageJson
}

describe('one figure has one value', () => {
  it.each(Object.keys(surfaces))('in %s', async (name) => {
    let number = 0
    await fc.assert(
      fc.asyncProperty(anyAttempt, async (attempt) => {
        const recorded = record(attempt, ++number)
        const told = (await surfaces[name]?.(recorded)) ?? {}
        const { durationSeconds: seconds, cpuTotalSeconds: cpu } = attempt
        const truth = {
          ...attempt,
          durationSeconds: measured(seconds, 'clock'),
          busyCores: cpu.value === null ? cpu : { ...cpu, value: cpu.value / seconds },
        }
        const wrong = (Object.entries(told) as [Figure, ToldFigure][]).flatMap(([figure, one]) => {
          const why = untruth(truth[figure], one)
          return why === undefined ? [] : [`${figure}: ${why}`]
        })
        expect(wrong).toEqual([])
        expect(Object.keys(told).length).toBeGreaterThan(0)
      }),
      { seed: 7, numRuns: 40 },
    )
  })
})
