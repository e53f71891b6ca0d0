import { JobCgroups } from '../../launch/job-cgroups.ts'
import { launch, mayHideContainer, mayRunContainer } from '../../launch/launch.ts'
import type { RunningJob } from '../../launch/running-job.ts'
import type { LaunchRequest } from '../../launch/request.ts'
import { chosenGauges } from '../../meter/gauges/chosen.ts'
import { Meter } from '../../meter/meter.ts'
import { describeJob } from '../../model/describe-job.ts'
import type { Job } from '../../model/job.ts'
import { Recording } from '../../record/recording.ts'
import type { Straggler } from '../../model/outcome.ts'
import { givenDirectory, givenEnvironment, givenWords } from '../../system/given.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import type { OptionValues } from '../command/define.ts'
import { findLedger } from '../ledger/ledger-place.ts'
import { metricsAsked } from './metrics-option.ts'
import { parseParams } from './params.ts'
import { report } from '../terminal/report-error.ts'
import { alertsFor } from './alerts-for.ts'
import { furtherLines } from './further-lines.ts'
import { runDefinition } from './run-definition.ts'
import { sinksFor } from './watched-sinks.ts'
import { summarise } from './run-summary.ts'
import { SignalRelay } from '../terminal/signal-relay.ts'
import type { Console } from '../terminal/console.ts'
import { terminalOf } from '../terminal/terminal-role.ts'
import { ExitError } from '../terminal/exit-error.ts'

/** Most jobs end at once on Ctrl-C: nothing needs to be said then. */
const lingersAfterSeconds = 0.5

/** What is waited for after Ctrl-C: the job itself, or what its main process has left. */
function lingeringText(left: readonly Straggler[] | null, graceSeconds: number): string {
  const [first, ...others] = left ?? []
  if (first === undefined) return 'asked the job to end; Ctrl-C again kills it'
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `the command has ended, but not what it started: ${first.command} (${first.pid})${more}. Killed ${graceSeconds} s after Ctrl-C, or by another Ctrl-C`
}

type RunOptions = OptionValues<typeof runDefinition>

export const execute = commandAction(
  runDefinition,
  async ({ options, arguments: given, console, warmUp }) => {
    const command = exactCommand(given.command)
    const job = requestedJob(options, given.command)
    const system = realSystem({ ownsProcess: true, mostlyWaits: true })
    const cgroups = new JobCgroups(system)
    const metrics = metricsAsked(options)
    // Whoever sets a limit wants to see how near the job came to it.
    const limited = options['memory-limit'] !== undefined && metrics !== null && metrics.length > 0
    const chosen = chosenGauges(system, limited ? [...metrics, 'memory'] : (metrics ?? []))
    const meter = new Meter(system, chosen instanceof Promise ? await chosen : chosen)
    const intervalSeconds = options.monitor && metrics !== null ? options.interval : null
    const ledger = findLedger(system, options.db, options)
    const alerts = await alertsFor(system, ledger, options.alerts, console)
    const recording = await Recording.begin(system, ledger, job, {
      machineMemoryBytes: meter.machineMemoryBytes(),
      columns: meter.columns,
      intervalSeconds,
      alone: true,
    })
    if (options['output-dir'] !== undefined) await recording.alsoTo(options['output-dir'])
    // Before the start: jobmeter may be upgraded while a long job runs.
    const json = options.format === 'json' ? await import('./record-text.ts') : undefined
    const terminal = terminalOf(system)
    // Before the start: a signal in between would end us and leave the job alone.
    let hasEnded = false
    let running: RunningJob | undefined
    const signals = new SignalRelay(system.processes, terminal, () => {
      if (options.quiet || !console.isTerminal(2)) return
      system.clock.after(lingersAfterSeconds, () => {
        if (!hasEnded) console.complain(lingeringText(running?.left ?? null, options.grace))
      })
    })
    // Who has the kernel place the job does not move, and need not wait.
    if (warmUp !== undefined && !system.processes.spawnsIntoCgroups) await warmUp
    const asked = {
      taskId: recording.taskId,
      intervalSeconds,
      timeoutSeconds: options.timeout ?? null,
      memoryLimitBytes: options['memory-limit'] ?? null,
    }
    const watched = alerts?.watch(
      { ...job, ...asked },
      { cores: system.host.cores, memoryBytes: meter.machineMemoryBytes() },
    )
    const request: LaunchRequest = {
      ...asked,
      command,
      environment: givenEnvironment(),
      workingDirectory: givenDirectory(job.workingDirectory),
      ...recording.marks,
      requirements: job.requirements,
      group: terminal.group,
      graceSeconds: options.grace,
      stragglers: options.stragglers,
      ownCgroup: true,
      ...sinksFor(options.series ? recording : undefined, watched),
    }
    const inside = options['in-container-of'] ?? null
    const contained =
      inside === null && !mayRunContainer(command)
        ? undefined
        : await (
            await import('../../launch/container/launch-contained.ts')
          ).launchContained(system, meter, cgroups, request, inside)
    const launched = contained?.launched ?? launch(system, meter, cgroups, request)
    if (launched.kind === 'running') {
      running = launched.job
      signals.connect(launched.job)
    }
    const notYet = contained?.notYet ?? null
    // Scripts that want JSON are told at the end, if it never came.
    if (notYet !== null && !options.quiet && json === undefined) console.complain(notYet)
    const done = launched.kind === 'running' ? launched.job.done : launched.result
    const result = await (contained?.done ?? done)
    hasEnded = true
    // Whatever befalls us from here on, how the job ended is what we are asked for.
    try {
      try {
        const record = recording.finish(result)
        watched?.ended(record, true)
        if (launched.kind === 'not-started')
          console.complain(result.outcome.reason ?? 'not started')
        else if (json !== undefined) console.note(await json.recordText(recording, record))
        else if (!options.quiet)
          console.note(
            summarise(record, result.outline, console.style(2), await furtherLines(system, record)),
          )
        const unfound = contained?.unfound?.() ?? null
        if (unfound !== null) console.complain(unfound)
        if (inside === null && !options.quiet && mayHideContainer(command))
          await hintAtContainer(command, console)
        await recording.tidySpool()
      } finally {
        // Also of a job whose end could not be told.
        alerts?.end()
      }
      for (const problem of recording.problems) console.complain(problem)
    } catch (error) {
      report(error, console)
    }
    return system.processes.exit(result.outcome.exitCode ?? 1)
  },
)

async function hintAtContainer(
  command: readonly string[],
  console: Pick<Console, 'complain'>,
): Promise<void> {
  const { parseContainerCommand } = await import('../../launch/container/run-command.ts')
  const { containerHint } = await import('../../launch/container/command-prefix.ts')
  const hint = parseContainerCommand(command) === undefined ? containerHint(command) : undefined
  if (hint !== undefined) console.complain(hint)
}

function requestedJob(options: RunOptions, command: readonly string[]): Job {
  return describeJob(command, {
    ...options,
    params: parseParams(options.param),
    tags: options.tag,
    workingDirectory: process.cwd(),
    requirements: {
      cpus: options.cpus ?? null,
      memoryBytes: options.memory ?? null,
      gpus: options.gpus ?? null,
      runtimeSeconds: options.runtime ?? null,
    },
  })
}

/** Never another one than was asked for: it might do harm. */
function exactCommand(command: readonly string[]): readonly string[] {
  const exact = givenWords(command)
  if (exact.kind === 'ok') return exact.value
  const why = exact.kind === 'unavailable' ? exact.why : exact.error
  throw new ExitError(
    `the command has words that are not UTF-8, which cannot be passed on: ${why}`,
    126,
  )
}
