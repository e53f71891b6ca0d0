import type { JobCgroups } from '../../launch/job-cgroups.ts'
import { launch } from '../../launch/launch.ts'
import { traceText } from '../../launch/leftovers.ts'
import type { RunningJob } from '../../launch/running-job.ts'
import type { Meter } from '../../meter/meter.ts'
import type { LifeSign } from '../../store/spool/life-sign.ts'
import type { System } from '../../system/system.ts'
import type { Script, Scripts } from '../run/scripts.ts'

interface ScriptTools {
  readonly system: System
  readonly meter: Meter
  readonly cgroups: JobCgroups
  readonly notes: Pick<LifeSign, 'note' | 'forget'>
}

/** Runs scripts on this machine. */
export class LocalScripts implements Scripts {
  readonly #tools: ScriptTools
  readonly #live = new Set<RunningJob>()

  constructor(tools: ScriptTools) {
    this.#tools = tools
  }

  async run(script: Script): Promise<number> {
    const { system, meter, cgroups, notes } = this.#tools
    const taskId = system.randomId()
    // Before it is started, too: a runner that is killed right after that leaves a script that carries this mark.
    notes.note(taskId, JSON.stringify({ taskId, isScript: true }))
    const launched = launch(system, meter, cgroups, {
      ...script,
      taskId,
      group: 'own',
      isOneOfMany: true,
      stdin: '/dev/null',
      ownLogs: true,
      intervalSeconds: null,
      timeoutSeconds: null,
      memoryLimitBytes: null,
      stragglers: 'leave',
      ownCgroup: false,
      onSamples: () => {},
      onStarted: (trace) => notes.note(taskId, traceText({ ...trace, isScript: true })),
    })
    if (launched.kind === 'not-started') {
      notes.forget(taskId)
      return launched.result.outcome.exitCode ?? 1
    }
    this.#live.add(launched.job)
    const { outcome } = await launched.job.done
    this.#live.delete(launched.job)
    notes.forget(taskId)
    return outcome.exitCode ?? 1
  }

  stop(signal: NodeJS.Signals): void {
    for (const job of this.#live) job.signal(signal, false)
  }
}
