import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { someWorkflow, WorkflowInLedger } from '../../test/contracts/workflows.ts'
import type { KeptSettings } from '../model/kept-settings.ts'
import { openSqliteLedger } from '../store/ledger/open.ts'
import type { ExecutorName } from './executors/executor-names.ts'
import { settingsInForce } from './settings-in-force.ts'

/** What goes for a workflow that ran somewhere before, with what was said then. */
function resumed(ranOn: ExecutorName, kept: KeptSettings, name: ExecutorName) {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-settings-'))
  const ledger = openSqliteLedger(join(directory, 'ledger.db'))
  const { id: workflowId } = new WorkflowInLedger(ledger, someWorkflow(['a']))
  const run = { startedAt: 1, outputDirectory: '/last', host: 'node01', workingDirectory: '/' }
  ledger.workflows.beginRun(workflowId, ranOn === 'local' ? run : { ...run, executor: ranOn })
  ledger.workflows.keepSettings(workflowId, kept)
  const found = settingsInForce(ledger, { workflowId, settings: { capacity: {} } }, name)
  ledger.close()
  rmSync(directory, { recursive: true })
  return found
}

it('holds no cluster and no team to what jobs could have of a machine, then and later', () => {
  const capacity = { cpus: 2, memoryBytes: 10, gpus: 1, maxParallelJobs: 3 }
  const onSlurm = resumed('local', { capacity, failFast: true }, 'slurm')
  const goesOn = { capacity: { maxParallelJobs: 3 }, failFast: true }
  expect(onSlurm.keptStill).toEqual(goesOn)
  expect(onSlurm.toKeep).toEqual(goesOn)
  expect(onSlurm.inForce).toEqual(goesOn)
  expect(resumed('local', { capacity }, 'local').inForce).toEqual({ capacity })
})

it('tells the output directory that is used, if somebody named one', () => {
  const named = resumed('slurm', { capacity: {}, outputDirectory: '/named' }, 'slurm')
  expect(named.inForce.outputDirectory).toBe('/last')
  expect(named.keptStill).toEqual({ capacity: {}, outputDirectory: '/last' })
  expect(resumed('slurm', { capacity: {} }, 'slurm').keptStill).toEqual({ capacity: {} })
})

it('tells nothing of Slurm where jobs run elsewhere, and keeps it', () => {
  const { keptStill, toKeep } = resumed('slurm', { capacity: {}, slurmPollSeconds: 5 }, 'local')
  expect(keptStill).toEqual({ capacity: {} })
  expect(toKeep.slurmPollSeconds).toBe(5)
})
