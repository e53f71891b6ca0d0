import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { someNode } from './nodes.ts'
import type { RemoteSite } from './remote-executor.ts'
import { SimulatedMachine, type Deed } from './simulated-machine.ts'
import { someWorkflow } from './workflows.ts'
import type { Owner } from '../../src/model/machine.ts'
import { defaultMonitor, type WorkflowJob } from '../../src/model/workflow.ts'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import type { System } from '../../src/system/system.ts'
import type { RunSummary } from '../../src/workflow/run/events.ts'
import type { Executor } from '../../src/workflow/run/executor.ts'
import { WorkflowRunner } from '../../src/workflow/run/runner.ts'

export const twoNodes = [someNode('near', { cpus: 2 }), someNode('far', { cpus: 3 })]
/** More than any of these workflows takes by the clock of its machine. */
const mostSteps = 20_000

/** Lets everything that waits for nothing but its turn go on. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A workflow in a ledger, whose runners may die and be followed by others while its jobs run elsewhere. */
export class RemoteStage {
  readonly machine: SimulatedMachine
  readonly ledger
  readonly id: number
  readonly said: string[] = []
  readonly #notes = new Map<string, string>()
  readonly #directory = mkdtempSync(join(tmpdir(), 'jobmeter-remote-'))
  #owner: Owner | undefined
  #runners = 0
  #bury = () => {}

  constructor(jobs: readonly WorkflowJob[], deeds: (name: string, attempt: number) => Deed) {
    this.machine = new SimulatedMachine(deeds)
    this.ledger = openSqliteLedger(join(this.#directory, 'ledger.db'))
    const monitor = { ...defaultMonitor, enabled: false }
    this.id = this.ledger.workflows.createWorkflow(someWorkflow(jobs, { monitor }))
  }

  /** What a runner that comes after one that died finds of its attempts. */
  left() {
    return this.ledger.workflows
      .results(this.id, { status: ['interrupted'], allRuns: true })
      .map(({ record: { taskId, owner } }) => {
        return { taskId, owner, isScript: false, note: this.#notes.get(taskId) ?? null }
      })
  }

  begin(executor: Executor, on = twoNodes): WorkflowRunner {
    let lives = true
    this.#bury = () => (lives = false)
    const owner = { host: 'node01', bootId: 'b', pid: ++this.#runners, startTicks: 1 }
    this.ledger.workflows.lease(this.id, owner, this.#owner)
    this.#owner = owner
    const stored = this.ledger.workflows.findWorkflow(this.id)
    if (stored === undefined) throw new Error('it is not there')
    const { system } = this.machine
    const mortal: System = {
      ...system,
      clock: {
        ...system.clock,
        after: (seconds, callback) => system.clock.after(seconds, () => lives && callback()),
      },
    }
    return new WorkflowRunner(
      {
        system: mortal,
        executor,
        adopted: executor.adopt(this.left()),
        scripts: { run: () => Promise.resolve(0), stop: () => {} },
        ledger: this.ledger,
        lockWait: { milliseconds: 10_000 },
        owner,
        notes: {
          note: (about, text) => void this.#notes.set(about, text),
          forget: (about) => void this.#notes.delete(about),
        },
        machine: { host: 'node01', cores: 8, memoryBytes: 2 ** 33 },
        environment: {},
        workingDirectory: '/home/ada',
        shell: '/bin/bash',
      },
      stored,
      {
        capacity: { nodes: on, maxParallelJobs: 64 },
        outputDirectory: '/out',
        failFast: false,
        strictFiles: false,
        graceSeconds: 10,
      },
      {
        jobStarted: () => {},
        attemptEnded: () => {},
        notTriedAgain: () => {},
        jobsCancelled: () => {},
        note: (message) => void this.said.push(message),
        trouble: (message) => void this.said.push(message),
      },
    )
  }

  /** The runner is gone from one moment to the next; its attempts are not. */
  kill(site: RemoteSite): void {
    this.#bury()
    site.connect(undefined)
    for (const { taskId } of this.ledger.jobs.running()) this.ledger.jobs.interrupt(taskId, 'dead')
  }

  async pass(seconds: number, isOver = () => false): Promise<void> {
    const { clock } = this.machine.system
    const end = clock.monotonicSeconds() + seconds
    while (!isOver() && clock.monotonicSeconds() < end) {
      this.machine.system.advance(0.5)
      await turn()
    }
  }

  async play(run: Promise<RunSummary>): Promise<RunSummary> {
    let over = false
    const ended = run.finally(() => (over = true))
    await turn()
    await this.pass(mostSteps, () => over)
    if (!over) throw new Error('it never ended')
    return ended
  }

  /** How each job stands, with its attempts: their exit codes. */
  outcome() {
    const codes = new Map<string, (number | null)[]>()
    for (const { record } of this.ledger.workflows.results(this.id, { allRuns: true }))
      codes.set(record.name, [...(codes.get(record.name) ?? []), record.exitCode])
    const jobs = this.ledger.workflows.findWorkflow(this.id)?.jobs ?? []
    return jobs.map(({ job, state }) => [job.name, state, codes.get(job.name) ?? []])
  }

  [Symbol.dispose](): void {
    this.ledger.close()
    rmSync(this.#directory, { recursive: true })
  }
}
