import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { someJob, someWorkflow } from '../../../test/contracts/workflows.ts'
import { JobCgroups } from '../../launch/job-cgroup.ts'
import { Meter } from '../../meter/meter.ts'
import { noRequirements } from '../../model/job.ts'
import { defaultMonitor } from '../../model/workflow.ts'
import { openSqliteLedger } from '../../store/sqlite/open.ts'
import { fakeSystem, type FakeSystem } from '../../system/fake.ts'
import type { ChildWatcher, SpawnRequest } from '../../system/system.ts'
import type { RunObserver } from './events.ts'
import { WorkflowRunner } from './runner.ts'

const days = 24 * 3600
const capacity = { cpus: 1, memoryBytes: 0, gpus: [], maxParallelJobs: 1 }
const nobody: RunObserver = {
  jobStarted: () => {},
  attemptEnded: () => {},
  jobsCancelled: () => {},
  note: () => {},
}

interface Started {
  readonly request: SpawnRequest
  readonly watcher: ChildWatcher
}

/** One job with a limit of a minute, on a machine whose clocks and processes are the test's own. */
function oneJob() {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-runner-'))
  const ledger = openSqliteLedger(join(directory, 'ledger.db'))
  const started: Started[] = []
  const fake = fakeSystem()
  const system: FakeSystem = {
    ...fake,
    processes: {
      ...fake.processes,
      spawn(request, watcher) {
        started.push({ request, watcher })
        return { kind: 'started', pid: 100 + started.length }
      },
    },
  }
  const requirements = { ...noRequirements, runtimeSeconds: 60 }
  const monitor = { ...defaultMonitor, enabled: false, enforce: ['runtime' as const] }
  const id = ledger.workflows.createWorkflow(
    someWorkflow([someJob('a', { requirements })], { monitor }),
  )
  const stored = ledger.workflows.findWorkflow(id)
  if (stored === undefined) throw new Error('it is not there')
  const runner = new WorkflowRunner(
    {
      system,
      meter: new Meter(system),
      cgroups: new JobCgroups(system),
      ledger,
      lockWait: { milliseconds: 10_000 },
      owner: { host: 'node01', bootId: 'b', pid: 1, startTicks: 1 },
      machine: { host: 'node01', cores: 8, memoryBytes: 2 ** 33 },
      environment: {},
      workingDirectory: '/home/ada',
      shell: '/bin/bash',
    },
    stored,
    { capacity, outputDirectory: '/out', failFast: false, graceSeconds: 10 },
    nobody,
  )
  return {
    system,
    runner,
    started,
    results: () => ledger.workflows.results(id, {}).map(({ record }) => record),
    [Symbol.dispose]() {
      ledger.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Lets everything that waits for nothing but its turn go on. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a clock that jumps by five days while a job runs', () => {
  it.each([5 * days, -5 * days])(
    'changes neither its duration nor its limit (%d s)',
    async (jump) => {
      using made = oneJob()
      const over = made.runner.run()
      await turn()
      made.system.advance(20)
      made.system.stepWallClock(jump)
      made.system.advance(10)
      expect(made.system.signals).toEqual([])
      expect([...made.runner.running.values()].map((view) => view.elapsedSeconds())).toEqual([30])
      made.started[0]?.watcher.reaped({ exitCode: 0, signal: null, account: null })
      const summary = await over
      expect(summary).toMatchObject({ durationSeconds: 30, states: { success: 1 } })
      expect(made.results()).toMatchObject([{ status: 'success', durationSeconds: 30 }])
    },
  )

  it('does not keep a job from being stopped at its limit', async () => {
    using made = oneJob()
    const over = made.runner.run()
    await turn()
    made.system.stepWallClock(-5 * days)
    made.system.advance(61)
    expect(made.system.signals).toEqual([{ pid: -101, signal: 'SIGTERM' }])
    made.started[0]?.watcher.reaped({ exitCode: null, signal: 'SIGTERM', account: null })
    expect((await over).failures).toMatchObject([{ name: 'a', status: 'timeout' }])
    expect(made.results()).toMatchObject([{ status: 'timeout', durationSeconds: 61 }])
  })
})
