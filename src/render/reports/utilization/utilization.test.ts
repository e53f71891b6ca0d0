import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkUtilization, type CheckedAttempt } from '../../../analysis/workflow/utilization.ts'
import { plainStyle } from '../../text/style.ts'
import { utilizationCsv } from './csv.ts'
import { utilizationJson } from './json.ts'
import { utilizationMarkdown } from './markdown.ts'
import { utilizationText } from './text.ts'

const figure = fc.option(fc.double({ min: 0, max: 1e14, noNaN: true }))
const request = fc.option(fc.double({ min: 0.01, max: 1e13, noNaN: true }))

const anyAttempt: fc.Arbitrary<CheckedAttempt> = fc.record({
  jobId: fc.nat(),
  jobName: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
  runId: fc.nat(),
  attempt: fc.nat(),
  status: fc.constantFrom('success', 'failed', 'timeout', 'cancelled', 'running'),
  exitCode: fc.option(fc.nat(255)),
  signal: fc.constantFrom(null, 'SIGKILL'),
  reason: fc.constant(null),
  requirements: fc.record({
    cpus: request,
    memoryBytes: request,
    gpus: fc.option(fc.nat({ max: 8 })),
    runtimeSeconds: request,
  }),
  durationSeconds: figure,
  cpuPercentPeak: figure,
  memoryPeakBytes: figure,
  processesKilledForMemory: fc.option(fc.nat(3)),
  cgroupMemoryPeakBytes: figure,
  memoryLimitMetBytes: figure,
  gpuCardsUsed: fc.option(fc.nat({ max: 8 })),
  gpuWhyNot: fc.constant('no GPU'),
  lowerBounds: fc.subarray(['memoryPeakBytes', 'cpuPercentPeak'] as const),
  unmeasured: fc.constant({}),
})

interface Json {
  readonly violations: readonly Record<string, unknown>[]
  readonly results?: readonly Record<string, unknown>[]
  readonly failed_jobs: readonly Record<string, unknown>[]
}

const shownKeys = [
  'job_id',
  'job_name',
  'resource_type',
  'specified',
  'peak_used',
  'over_utilization',
]
const failureKeys = ['job_id', 'job_name', 'status', 'probable_cause', 'evidence']
const pick = (rows: readonly Record<string, unknown>[], keys: readonly string[]) =>
  rows.map((row) => keys.map((key) => String(row[key])))

/** The rows of a table with `|`, without its header and rule. */
const tableRows = (text: string, columns: number): string[][] =>
  text
    .split('\n')
    .map((line) =>
      line
        .replace(/^\| | \|$/g, '')
        .split(' | ')
        .map((cell) => cell.trim().replaceAll('\\', '')),
    )
    .filter((cells) => cells.length === columns && /^\d+$/.test(cells[0] ?? ''))

describe('a report on utilization', () => {
  it('shows the same figures in every format', () => {
    fc.assert(
      fc.property(
        fc.array(anyAttempt),
        fc.boolean(),
        fc.boolean(),
        (attempts, all, includeFailed) => {
          const checked = checkUtilization(attempts, { minOverPercent: 1, includeFailed })
          const report = { workflowId: 1, runId: null, ...checked }
          const json = utilizationJson(report, { all }) as Json
          const checks = pick(all ? (json.results ?? []) : json.violations, shownKeys)
          const failures = pick(json.failed_jobs, failureKeys)
          const text = utilizationText(report, plainStyle, { all })
          expect(tableRows(text, 6)).toEqual(checks)
          expect(tableRows(text, 5)).toEqual(failures)
          const markdown = utilizationMarkdown(report, { all })
          expect(tableRows(markdown, 6)).toEqual(checks)
          expect(tableRows(markdown, 5)).toEqual(failures)
          const [header = '', ...lines] = utilizationCsv(report, { all }).trimEnd().split('\n')
          const names = header.split(',')
          const rows = lines.map((line) =>
            Object.fromEntries(
              line.split(',').map((cell, index) => [names[index] ?? '', cell] as const),
            ),
          )
          const ofChecks = rows.filter((row) => row['resource_type'] !== '')
          expect(pick(ofChecks, shownKeys)).toEqual(checks)
          expect(pick(rows.slice(ofChecks.length), failureKeys)).toEqual(failures)
        },
      ),
    )
  })

  it('counts as violations only measured use above a request that was made, and who was held to it', () => {
    fc.assert(
      fc.property(fc.array(anyAttempt), (attempts) => {
        const { violations, checks } = checkUtilization(attempts, {
          minOverPercent: 1,
          includeFailed: true,
        })
        for (const { used, specified } of violations.filter((one) => one.endedAt !== 'request'))
          expect(used ?? 0).toBeGreaterThanOrEqual(specified * 1.01 * (1 - 1e-12))
        for (const { isViolation, used, specified } of checks)
          expect(isViolation || (used ?? 0) < specified * 1.01 * (1 + 1e-12)).toBe(true)
      }),
    )
  })

  it('lets no name break out of its line or cell', () => {
    const evil = {
      jobId: 1,
      jobName: 'a|b\n\u001b[31m*c*',
      runId: 1,
      attempt: 1,
      status: 'success',
      exitCode: 0,
      signal: null,
      reason: null,
      requirements: { cpus: null, memoryBytes: 1024, gpus: null, runtimeSeconds: null },
      durationSeconds: 1,
      cpuPercentPeak: null,
      memoryPeakBytes: 4096,
      processesKilledForMemory: null,
      cgroupMemoryPeakBytes: null,
      memoryLimitMetBytes: null,
      gpuCardsUsed: null,
      gpuWhyNot: 'no GPU',
      lowerBounds: [],
      unmeasured: {},
    } as const
    const checked = checkUtilization([evil], { minOverPercent: 1, includeFailed: false })
    const report = { workflowId: 1, runId: null, ...checked }
    expect(utilizationText(report, plainStyle, { all: true })).toContain(
      String.raw`a|b\n\x1b[31m*c*`,
    )
    expect(utilizationMarkdown(report, { all: true })).toContain(String.raw`a\|b\\n\\x1b\[31m\*c\*`)
  })
})
