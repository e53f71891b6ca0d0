import { JobCgroups } from '../../src/launch/job-cgroups.ts'
import { Meter } from '../../src/meter/meter.ts'
import { fakeSystem, type FakeSystem } from '../../src/system/fake.ts'
import type { ChildWatcher, SpawnRequest, SpawnResult } from '../../src/system/system.ts'
import { LocalExecutor } from '../../src/workflow/executors/local-executor.ts'

/** What a job does each time that it runs. */
export interface Deed {
  readonly seconds: number
  readonly exitCode: number
}

interface Process {
  readonly name: string
  readonly watcher: ChildWatcher
  readonly cancelEnd: () => void
}

/** A machine on which jobs take the time and end as they are told to, by a clock of its own; it remembers what ran. */
export class SimulatedMachine {
  readonly system: FakeSystem
  /** Job names, in the order in which they were started. */
  readonly starts: string[] = []
  /** Jobs that ran twice at the same time. */
  readonly beside: string[] = []
  readonly #processes = new Map<number, Process>()
  readonly #deeds: (name: string, attempt: number) => Deed

  constructor(deeds: (name: string, attempt: number) => Deed) {
    this.#deeds = deeds
    const fake = fakeSystem({ files: { '/out/job_stdio': '', '/out/resource_utilization': '' } })
    this.system = {
      ...fake,
      processes: {
        ...fake.processes,
        spawn: (request, watcher) => this.#spawn(request, watcher),
        spawnAside: (request, watcher, tell) => tell(this.#spawn(request, watcher)),
        signal: (pid, signal) => this.#signal(Math.abs(pid), signal),
      },
    }
  }

  get running(): readonly string[] {
    return [...this.#processes.values()].map(({ name }) => name)
  }

  executor(): LocalExecutor {
    const { system } = this
    const machine = { system, meter: new Meter(system), cgroups: new JobCgroups(system) }
    const us = { host: 'node01', bootId: 'b', pid: 1, startTicks: 1 }
    return new LocalExecutor(machine, { us, onLeftoversKilled: () => {} })
  }

  #spawn({ environment }: SpawnRequest, watcher: ChildWatcher): SpawnResult {
    const name = environment['JOBMETER_JOB_NAME'] ?? ''
    if (this.running.includes(name)) this.beside.push(name)
    const pid = 100 + this.starts.push(name)
    const { seconds, exitCode } = this.#deeds(name, Number(environment['JOBMETER_ATTEMPT']))
    const cancelEnd = this.system.clock.after(seconds, () => this.#end(pid, exitCode, null))
    this.#processes.set(pid, { name, watcher, cancelEnd })
    return { kind: 'started', pid }
  }

  #signal(pid: number, signal: NodeJS.Signals): boolean {
    this.#processes.get(pid)?.cancelEnd()
    // Not from within the call, as in life.
    this.system.clock.after(0.01, () => this.#end(pid, null, signal))
    return this.#processes.has(pid)
  }

  #end(pid: number, exitCode: number | null, signal: NodeJS.Signals | null): void {
    const process = this.#processes.get(pid)
    this.#processes.delete(pid)
    process?.watcher.reaped({ exitCode, signal, account: null })
  }
}
