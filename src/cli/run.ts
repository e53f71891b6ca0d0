import { JobCgroups } from '../launch/job-cgroup.ts'
import { launch } from '../launch/launch.ts'
import { Meter } from '../meter/meter.ts'
import type { Job } from '../model/job.ts'
import { toolAndScript } from '../model/command-line.ts'
import { realSystem } from '../system/real.ts'
import { commandAction } from './command/action.ts'
import type { OptionValues } from './command/define.ts'
import { openLedger } from './ledger.ts'
import { parseParams } from './params.ts'
import { Recording } from './recording.ts'
import { runDefinition } from './run-definition.ts'
import { SignalRelay } from './signal-relay.ts'
import { terminalOf } from './terminal-role.ts'

type RunOptions = OptionValues<typeof runDefinition>

export const execute = commandAction(
  runDefinition,
  async ({ options, arguments: given, console }) => {
    const job = describeJob(options, given.command)
    const system = realSystem({ ownsProcess: true })
    const cgroups = new JobCgroups(system)
    const store = openLedger(system, options.db)
    const meter = new Meter(system)
    const intervalSeconds = options.monitor ? options.interval : null
    const recording = new Recording(system, store, job, {
      machineMemoryBytes: meter.machineMemoryBytes(),
      intervalSeconds,
    })
    if (options['output-dir'] !== undefined) recording.alsoTo(options['output-dir'])
    // Loaded before the job starts: while it runs, the machine is its own.
    const rendering = options.quiet ? undefined : await import('./run-summary.ts')
    const terminal = terminalOf(system)
    // Before the start: a signal in between would end us and leave the job alone.
    const signals = new SignalRelay(system.processes, terminal)
    const launched = launch(system, meter, cgroups, {
      taskId: recording.taskId,
      command: job.command,
      environment: process.env,
      workingDirectory: job.workingDirectory,
      group: terminal.group,
      intervalSeconds,
      timeoutSeconds: options.timeout ?? null,
      memoryLimitBytes: options['memory-limit'] ?? null,
      graceSeconds: options.grace,
      stragglers: options.stragglers,
      ownCgroup: true,
      onSamples: options.series ? recording.addSamples : () => {},
    })
    if (launched.kind === 'running') signals.connect(launched.job)
    const result = launched.kind === 'running' ? await launched.job.done : launched.result
    const record = recording.finish(result)
    for (const problem of recording.problems) console.complain(problem)
    if (launched.kind === 'not-started') console.complain(result.outcome.reason ?? 'not started')
    else if (rendering !== undefined) {
      console.note(rendering.summarise(record, result.outline, options.format, console.style(2)))
    }
    return system.processes.exit(result.outcome.exitCode ?? 1)
  },
)

function describeJob(options: RunOptions, command: readonly string[]): Job {
  const guess = toolAndScript(command)
  const tool = options.tool ?? guess.tool
  const script = options.script ?? guess.script
  return {
    name: options.name ?? script ?? tool,
    tool,
    script,
    params: parseParams(options.param),
    tags: options.tag,
    command,
    workingDirectory: process.cwd(),
    requirements: {
      cpus: options.cpus ?? null,
      memoryBytes: options.memory ?? null,
      gpus: options.gpus ?? null,
      runtimeSeconds: options.runtime ?? null,
    },
  }
}
