import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../../test/contracts/attempts.ts'
import { someNode } from '../../../test/contracts/nodes.ts'
import { someJob, someWorkflow } from '../../../test/contracts/workflows.ts'
import { JobCgroups } from '../../launch/job-cgroups.ts'
import { Meter } from '../../meter/meter.ts'
import { noRequirements } from '../../model/job.ts'
import { defaultMonitor } from '../../model/workflow.ts'
import { StoreError } from '../../store/errors.ts'
import { openSqliteLedger } from '../../store/ledger/open.ts'
import { fakeSystem, type FakeSystem } from '../../system/fake.ts'
import type { ChildWatcher, SpawnRequest } from '../../system/system.ts'
import { LocalExecutor } from '../executors/local-executor.ts'
import { LocalScripts } from '../executors/local-scripts.ts'
import type { RunObserver } from './events.ts'
import { WorkflowRunner } from './runner.ts'

const days = 24 * 3600
const nobody: RunObserver = {
  jobStarted: () => {},
  attemptEnded: () => {},
  notTriedAgain: () => {},
  jobsCancelled: () => {},
  note: () => {},
  trouble: () => {},
}

interface Started {
  readonly request: SpawnRequest
  readonly watcher: ChildWatcher
}

/** Jobs with a limit of a minute, so many at a time, on a machine whose clocks and processes are the test's own. */
function jobs(names: readonly string[], atOnce = 1) {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-runner-'))
  const ledger = openSqliteLedger(join(directory, 'ledger.db'))
  const started: Started[] = []
  const fake = fakeSystem({
    files: { '/out/job_stdio': '', '/out/resource_utilization': '' },
  })
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
    someWorkflow(
      names.map((name) => someJob(name, { requirements })),
      { monitor },
    ),
  )
  const owner = { host: 'node01', bootId: 'b', pid: 1, startTicks: 1 }
  ledger.workflows.lease(id, owner)
  const stored = ledger.workflows.findWorkflow(id)
  if (stored === undefined) throw new Error('it is not there')
  const machine = { system, meter: new Meter(system), cgroups: new JobCgroups(system) }
  const notes = { note: () => {}, forget: () => {} }
  const runner = new WorkflowRunner(
    {
      system,
      executor: new LocalExecutor(machine, { us: owner, onLeftoversKilled: () => {} }),
      adopted: [],
      scripts: new LocalScripts({ ...machine, notes }),
      ledger,
      lockWait: { milliseconds: 10_000 },
      owner,
      notes,
      machine: { host: 'node01', cores: 8, memoryBytes: 2 ** 33 },
      environment: {},
      workingDirectory: '/home/ada',
      shell: '/bin/bash',
    },
    stored,
    {
      capacity: { nodes: [someNode('node01', { cpus: atOnce })], maxParallelJobs: atOnce },
      outputDirectory: '/out',
      failFast: false,
      strictFiles: false,
      graceSeconds: 10,
    },
    nobody,
  )
  return {
    system,
    runner,
    started,
    ledger,
    stored,
    owner,
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
      using made = jobs(['a'])
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

  it.each([5 * days, -5 * days])(
    'puts no end before a start, of neither jobs nor the run (%d s)',
    async (jump) => {
      using made = jobs(['a', 'b'])
      const over = made.runner.run()
      await turn()
      const [began = 0] = made.results().map(({ startedAt }) => startedAt)
      made.system.advance(20)
      made.system.stepWallClock(jump)
      made.started[0]?.watcher.reaped({ exitCode: 0, signal: null, account: null })
      await turn()
      made.system.advance(5)
      made.started[1]?.watcher.reaped({ exitCode: 0, signal: null, account: null })
      await over
      expect(
        made.results().map(({ startedAt, endedAt }) => [startedAt - began, (endedAt ?? 0) - began]),
      ).toEqual([
        [0, 20],
        [20, 25],
      ])
      const [run] = made.ledger.workflows.runs(made.stored.workflowId)
      expect((run?.endedAt ?? 0) - (run?.startedAt ?? 0)).toBe(25)
    },
  )

  it('does not keep a job from being stopped at its limit', async () => {
    using made = jobs(['a'])
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

const succeed = (started: Started | undefined): void =>
  started?.watcher.reaped({ exitCode: 0, signal: null, account: null })

describe('a runner that was thought dead', () => {
  const other = { host: 'node02', bootId: 'c', pid: 2, startTicks: 2 }

  it('keeps what ends, and starts nothing, once another has its workflow', async () => {
    using made = jobs(['a', 'b'])
    const over = made.runner.run()
    await turn()
    made.ledger.workflows.lease(1, other, made.owner)
    succeed(made.started[0])
    expect((await over).stopped).toContain('another runner has taken over workflow 1')
    expect(made.started).toHaveLength(1)
    expect(made.results()).toMatchObject([{ name: 'a', status: 'success' }])
    expect(made.ledger.workflows.findWorkflow(1)?.jobs.map(({ state }) => state)).toEqual([
      'success',
      'waiting',
    ])
  })

  it('asks once more after it was stopped for long, and begins nothing twice to do so', async () => {
    using made = jobs(['a', 'b'])
    const over = made.runner.run()
    await turn()
    const { workflows } = made.ledger
    const holds = workflows.holds.bind(workflows)
    let asked = 0
    workflows.holds = (...of) => {
      asked += 1
      if (asked === 1) made.system.advance(6)
      if (asked === 2) throw new StoreError('locked', 'ledger.db', 'another has it')
      return holds(...of)
    }
    succeed(made.started[0])
    await turn()
    expect({ asked, started: made.started.length }).toEqual({ asked: 2, started: 1 })
    made.system.advance(0.2)
    expect({ asked, started: made.started.length }).toEqual({ asked: 3, started: 2 })
    succeed(made.started[1])
    expect(await over).toMatchObject({ states: { success: 2 }, stopped: null })
    expect(made.ledger.jobs.find({})).toHaveLength(2)
  })

  it('is believed when it tells of a success, and its job is not run again', async () => {
    using made = jobs(['a', 'b'])
    const { workflows } = made.ledger
    const b = made.stored.jobs[1]?.jobId ?? 0
    const place = { jobId: b, workflowId: 1, runId: 1, attempt: 1 }
    const over = made.runner.run()
    await turn()
    const late = workflows.beginAttempt(place, someStart('late'))
    made.ledger.jobs.interrupt('late', 'gone')
    made.ledger.jobs.finish(late, someEnd())
    succeed(made.started[0])
    expect(await over).toMatchObject({ states: { success: 2 }, stopped: null })
    expect(made.started).toHaveLength(1)
  })

  it('tells so although it had been stopped before it noticed', async () => {
    using made = jobs(['a'])
    const over = made.runner.run()
    await turn()
    made.ledger.workflows.lease(1, other, made.owner)
    made.runner.stop('SIGTERM')
    made.started[0]?.watcher.reaped({ exitCode: null, signal: 'SIGTERM', account: null })
    expect(await over).toMatchObject({
      stopped: expect.stringContaining('another runner has taken over workflow 1'),
      stoppedBy: null,
    })
  })

  it('ends what still runs', async () => {
    using made = jobs(['a', 'b', 'c'], 2)
    const over = made.runner.run()
    await turn()
    made.ledger.workflows.lease(1, other, made.owner)
    succeed(made.started[0])
    await turn()
    expect(made.system.signals).toEqual([{ pid: -102, signal: 'SIGTERM' }])
    made.started[1]?.watcher.reaped({ exitCode: null, signal: 'SIGTERM', account: null })
    expect((await over).states).toEqual({ success: 1, cancelled: 1, waiting: 1 })
    expect(made.started).toHaveLength(2)
  })
})
