import { describe, expect, it } from 'vitest'
import { someRun, someWorkflow, WorkflowInLedger } from '../../../test/contracts/workflows.ts'
import { LedgerFolder } from '../../../test/ledger-folder.ts'
import { recordAttempt } from '../../../test/recorded-workflow.ts'
import { execute } from './reports-utilization.ts'

const gigabyte = 2 ** 30

const folder = new LedgerFolder()
const ask = (...argv: string[]) => folder.ask(execute, argv)

/** A workflow with this number whose first job has that one. */
function workflowAt(workflowId: number, firstJobId: number, names: readonly string[]) {
  const before = Array.from({ length: firstJobId - 1 }, (_, index) => `before_${index}`)
  folder.ledger.batch(() => {
    if (workflowId > 1) folder.ledger.workflows.createWorkflow(someWorkflow(before))
    for (let id = 2; id < workflowId; id++) folder.ledger.workflows.createWorkflow(someWorkflow([]))
  })
  const workflow = new WorkflowInLedger(folder.ledger, someWorkflow(names))
  folder.ledger.workflows.beginRun(workflow.id, someRun)
  return workflow
}

const trainModel = {
  requirements: { memoryBytes: 8 * gigabyte, runtimeSeconds: 7200 },
  durationSeconds: 9900,
  figures: { memoryPeakBytes: 10.5 * gigabyte },
}

describe('jobmeter reports check-resource-utilization', () => {
  const others = Array.from({ length: 8 }, (_, index) => `other_${index}`)

  function violations() {
    const workflow = workflowAt(123, 15, ['train_model', 'large_preprocess', ...others])
    recordAttempt(folder.ledger, workflow, 'train_model', trainModel)
    recordAttempt(folder.ledger, workflow, 'large_preprocess', {
      requirements: { cpus: 8, memoryBytes: 4 * gigabyte },
      figures: { cpuPercentPeak: 950.5, memoryPeakBytes: gigabyte },
    })
    for (const name of others) recordAttempt(folder.ledger, workflow, name, {})
  }

  it('shows what is over its request', async () => {
    violations()
    expect((await ask('123')).text).toBe(`⚠ Found 3 resource over-utilization violations:

Job ID | Job Name         | Resource |      Specified | Peak Used | Over-Utilization
-------|------------------|----------|----------------|-----------|------------------
    15 | train_model      | Memory   |        8.00 GB |  10.50 GB |           +31.3%
    15 | train_model      | Runtime  |       2h 0m 0s | 2h 45m 0s |           +37.5%
    16 | large_preprocess | CPU      | 800% (8 cores) |    950.5% |           +18.8%

Note: Use --all to see all jobs, including those that stayed within limits
`)
  })

  it('shows everything with --all', async () => {
    const workflow = workflowAt(2, 15, ['train_model', 'preprocess'])
    recordAttempt(folder.ledger, workflow, 'train_model', {
      ...trainModel,
      // The published table says -9.9% here, but 720.3 of 800 is -9.96 %: rounding gives -10.0%, and no rule
      // gives all six of its figures (380.2 of 400 is -4.95 %, published as -5.0%). The true figure stands.
      requirements: { ...trainModel.requirements, cpus: 8 },
      figures: { ...trainModel.figures, cpuPercentPeak: 720.3 },
    })
    recordAttempt(folder.ledger, workflow, 'preprocess', {
      requirements: { memoryBytes: 4 * gigabyte, cpus: 4, runtimeSeconds: 600 },
      figures: { memoryPeakBytes: 2.1 * gigabyte, cpuPercentPeak: 380.2 },
      durationSeconds: 450,
    })
    expect((await ask('2', '--all')).text)
      .toBe(`Job ID | Job Name    | Resource |      Specified | Peak Used | Over-Utilization
-------|-------------|----------|----------------|-----------|------------------
    15 | train_model | Memory   |        8.00 GB |  10.50 GB |           +31.3%
    15 | train_model | Runtime  |       2h 0m 0s | 2h 45m 0s |           +37.5%
    15 | train_model | CPU      | 800% (8 cores) |    720.3% |           -10.0%
    16 | preprocess  | Memory   |        4.00 GB |   2.10 GB |           -47.5%
    16 | preprocess  | CPU      | 400% (4 cores) |    380.2% |            -5.0%
    16 | preprocess  | Runtime  |         10m 0s |    7m 30s |           -25.0%
`)
  })

  it('answers programs with the same words, and the numbers behind them', async () => {
    violations()
    const { text } = await ask('123', '--format', 'json')
    expect(text.slice(0, text.indexOf('"run_id": 1'))).toBe(`{
  "workflow_id": 123,
  "run_id": null,
  "total_results": 10,
  "over_utilization_count": 3,
  "violations": [
    {
      "job_id": 15,
      "job_name": "train_model",
      "resource_type": "Memory",
      "specified": "8.00 GB",
      "peak_used": "10.50 GB",
      "over_utilization": "+31.3%",
      `)
    expect(JSON.parse(text)).toMatchObject({
      violations: [
        {
          specified_value: 8_589_934_592,
          peak_used_value: 11_274_289_152,
          over_utilization_percent: 31.25,
          unit: 'bytes',
        },
        { unit: 'seconds', peak_used_value: 9900 },
        { unit: 'percent', specified_value: 800, over_utilization_percent: 18.8125 },
      ],
    })
  })

  it('exits with 1 only where that is asked for and something is over', async () => {
    violations()
    expect((await ask('123')).code).toBe(0)
    expect((await ask('123', '--fail-on-violation')).code).toBe(1)
    const strict = ['--fail-on-violation', '--min-over-utilization', '40']
    const high = await ask('123', ...strict)
    expect(high.code).toBe(0)
    expect(high.text).toContain('✓ No resource over-utilization')
  })

  it('neither counts nor invents what was not measured or not asked for', async () => {
    const workflow = workflowAt(1, 1, ['a', 'b'])
    recordAttempt(folder.ledger, workflow, 'a', {
      requirements: { memoryBytes: gigabyte, cpus: 1 },
    })
    recordAttempt(folder.ledger, workflow, 'b', { figures: { memoryPeakBytes: 2 ** 50 } })
    expect((await ask('1')).text).toBe(
      'Nothing could be checked: nothing that was asked for was measured.\n\n' +
        'Note: Use --all to see all jobs, including those that stayed within limits\n' +
        'Not measured, and so not counted: 2 of 2 figures\n',
    )
    const all = await ask('1', '--all')
    expect(all.text).toContain(
      '     1 | a        | Memory   |       1.00 GB | not measured |                –',
    )
    const json = JSON.parse((await ask('1', '--all', '--format', 'json')).text)
    expect(json).toMatchObject({
      over_utilization_count: 0,
      unmeasured_count: 2,
      results: [{ peak_used_value: null, not_measured: 'no cgroup' }, { job_name: 'a' }],
    })
  })

  it('says that memory ran out only where the kernel has not counted that it did not', async () => {
    const workflow = workflowAt(1, 1, ['a', 'b', 'c'])
    const outcome = { status: 'failed', exitCode: 137, signal: 'SIGKILL' } as const
    const counts = { a: 0, b: 1 } as const
    for (const [name, processesKilledForMemory] of Object.entries(counts))
      recordAttempt(folder.ledger, workflow, name, {
        figures: { processesKilledForMemory },
        outcome,
      })
    recordAttempt(folder.ledger, workflow, 'c', { outcome })
    const { text } = await ask('1', '--include-failed')
    expect(text).toContain('killed         | ended by SIGKILL\n')
    expect(text).toContain('out of memory  | 1 process of the job was killed for memory\n')
    expect(text).toContain('out of memory  | ended by SIGKILL\n')
  })

  it('leaves failed jobs out unless asked, and then says why they probably failed', async () => {
    const workflow = workflowAt(1, 1, ['a', 'b', 'c'])
    const requirements = { memoryBytes: gigabyte, runtimeSeconds: 100 }
    recordAttempt(folder.ledger, workflow, 'a', {
      requirements,
      figures: { memoryPeakBytes: 1.5 * gigabyte },
      outcome: { status: 'failed', exitCode: 137, signal: 'SIGKILL' },
    })
    recordAttempt(folder.ledger, workflow, 'b', {
      requirements,
      durationSeconds: 101,
      outcome: { status: 'timeout', exitCode: 124, reason: 'over its time limit of 100 s' },
    })
    recordAttempt(folder.ledger, workflow, 'c', {
      requirements,
      figures: { memoryPeakBytes: 1000 },
    })
    // The other one is shown: it was ended at its request.
    expect((await ask('1')).text).toContain('Left out: 1 result of jobs that failed.')
    const { text } = await ask('1', '--include-failed')
    expect(text).toContain('⚠ Found 2 resource over-utilization violations:')
    expect(text).toContain(`Failed jobs:

Job ID | Job Name | Status  | Probable Cause | Evidence
-------|----------|---------|----------------|`)
    expect(text).toContain(
      '     1 | a        | failed  | out of memory  | memory peak 1.50 GB of 1.00 GB requested; ended by SIGKILL',
    )
    expect(text).toContain(
      '     2 | b        | timeout | over time      | over its time limit of 100 s; ran 1m 41s of 1m 40s requested',
    )
    for (const format of ['json', 'csv', 'markdown'])
      expect((await ask('1', '--include-failed', '--format', format)).text).toContain(
        'memory peak 1.50 GB of 1.00 GB requested; ended by SIGKILL',
      )
  })

  it.each([['--include-failed'], ['--all'], ['--format=table']])(
    'counts jobs that were ended at what they had asked for, with %s',
    async (option) => {
      const workflow = workflowAt(1, 1, ['a', 'b', 'c'])
      const memoryBytes = 31 * 2 ** 20
      recordAttempt(folder.ledger, workflow, 'a', {
        requirements: { memoryBytes },
        figures: { memoryPeakBytes: 30 * 2 ** 20, processesKilledForMemory: 1 },
        outcome: {
          status: 'failed',
          exitCode: 137,
          signal: 'SIGKILL',
          reason: 'out of memory: the kernel held it to its limit of 31.0 MB',
        },
      })
      recordAttempt(folder.ledger, workflow, 'b', {
        requirements: { runtimeSeconds: 100 },
        durationSeconds: 100.2,
        outcome: { status: 'timeout', exitCode: 124, reason: 'over its time limit of 100 s' },
      })
      recordAttempt(folder.ledger, workflow, 'c', { requirements: { memoryBytes: gigabyte } })
      const { code, text } = await ask('1', '--fail-on-violation', option)
      expect(code).toBe(1)
      expect(text).toMatch(/31\.00 MB \| +30\.00 MB \| +ended at limit/)
      expect(text).toMatch(/Runtime {2}\| +1m 40s \| +1m 40s \| +ended at limit/)
      expect(text).not.toContain('✓')
      const found = text.startsWith('⚠') ? text.split('\n')[0] : undefined
      expect(found).toBe(
        option === '--all'
          ? undefined
          : '⚠ Found 2 resource over-utilization violations: 2 jobs were held to what they had asked for and ended when they needed more',
      )
      expect(JSON.parse((await ask('1', '--format', 'json')).text)).toMatchObject({
        violations: [{ job_name: 'a', over_utilization: 'ended at limit' }, { job_name: 'b' }],
      })
    },
  )

  it('does not blame a job for a limit below what it had asked for', async () => {
    const workflow = workflowAt(1, 1, ['a'])
    recordAttempt(folder.ledger, workflow, 'a', {
      requirements: { memoryBytes: gigabyte, runtimeSeconds: 100 },
      figures: { memoryPeakBytes: 30 * 2 ** 20 },
      durationSeconds: 50,
      outcome: {
        status: 'failed',
        exitCode: 137,
        reason: 'out of memory: the kernel held it to its limit of 31.0 MB',
      },
    })
    expect((await ask('1', '--include-failed', '--fail-on-violation')).code).toBe(0)
  })

  it('says that a job whose runner was killed ran for at least so long', async () => {
    const workflow = workflowAt(1, 1, ['a'])
    recordAttempt(folder.ledger, workflow, 'a', {
      requirements: { runtimeSeconds: 100 },
      durationSeconds: 150,
      outcome: { status: 'interrupted', reason: 'jobmeter was killed while the job ran' },
    })
    const { text } = await ask('1', '--include-failed')
    expect(text).toContain('at least 2m 30s')
  })

  it('looks at the run that is asked for', async () => {
    const workflow = workflowAt(1, 1, ['a'])
    folder.ledger.workflows.beginRun(workflow.id, someRun)
    const requirements = { memoryBytes: gigabyte }
    recordAttempt(folder.ledger, workflow, 'a', {
      requirements,
      figures: { memoryPeakBytes: 2 * gigabyte },
    })
    const second = { requirements, runId: 2, attempt: 2, figures: { memoryPeakBytes: 1000 } }
    recordAttempt(folder.ledger, workflow, 'a', second)
    expect((await ask('1')).text).toContain('✓')
    const first = await ask('1', '--run-id', '1', '--format', 'json')
    expect(JSON.parse(first.text)).toMatchObject({ run_id: 1, over_utilization_count: 1 })
    await expect(ask('1', '--run-id', '3')).rejects.toThrow('workflow 1 has had 2 runs')
  })
})
