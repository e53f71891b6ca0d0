import { inMegabytes } from '../../model/bytes.ts'
import { atLeast, isLowerBound, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { Usage } from '../../model/usage.ts'
import type { MeasuredRun } from './measured-run.ts'

type Figures = Record<string, Measured>

/** Figures of the whole machine are true whoever's job it is. */
const isOfMachine = (key: string): boolean => key.startsWith('machine')

/** For how long it was watched. */
export interface WatchedTime {
  readonly recordedStart: number
  readonly durationSeconds: number
}

/** What the container used, as the job's own figures; each says so. */
export function containerUsage(
  run: MeasuredRun,
  usage: Usage,
  engine: string,
  { recordedStart, durationSeconds }: WatchedTime,
): Usage {
  const whose = `, of ${engine} container ${run.inspected?.name ?? ''}`
  const figures: Figures = {}
  for (const [key, figure] of Object.entries<Measured>(usage))
    figures[key] =
      figure.value === null || isOfMachine(key) || key.startsWith('container')
        ? figure
        : { value: figure.value, basis: `${figure.basis}${whose}` }
  return {
    ...figures,
    ...boundsAtEnd(run, figures),
    ...runFigures(run, usage, recordedStart, recordedStart + durationSeconds),
  } as unknown as Usage
}

/** What is known of a container before it runs, and what the last moments cannot have changed much. */
const isSettled = (key: string): boolean =>
  /^machine|Limit|Reservation|Mean|Min[A-Z]/.test(key) && key !== 'cpuPercentMean'

/** Where the cgroup was gone before the last look, the last glimpse of it may lack a few milliseconds. */
function boundsAtEnd(run: MeasuredRun, figures: Figures): Figures {
  const { missedSeconds, isRunning, hasRestarted } = run
  if (!hasRestarted && (missedSeconds === 0 || isRunning)) return {}
  const read = missedSeconds >= 0 ? `read at most ${missedSeconds.toFixed(2)} s` : 'last read'
  const when = hasRestarted ? 'until it was first started again' : `${read} before its end`
  const bounded: Figures = {}
  for (const [key, figure] of Object.entries(figures))
    if (figure.value !== null && !isSettled(key) && !isLowerBound(figure))
      bounded[key] = atLeast(figure.value, `${figure.basis}, ${when}`)
  return bounded
}

function runFigures(
  run: MeasuredRun,
  usage: Usage,
  recordedStart: number,
  recordedEnd: number,
): Figures {
  const { inspected, end } = run
  const startedAt = inspected?.startedAt ?? NaN
  const endedAt = end?.atSeconds ?? inspected?.finishedAt ?? NaN
  const runSeconds = endedAt - startedAt
  const watchedSeconds =
    (run.isRunning ? recordedEnd : endedAt) - Math.max(startedAt, recordedStart)
  const basis = "the daemon's times of its start and its end"
  const watchedBasis = run.isRunning ? 'the time that it was watched' : basis
  const cpu = usage.cpuTotalSeconds
  const killed = usage.processesKilledForMemory
  return {
    containerStartupSeconds:
      startedAt < recordedStart
        ? unmeasured('it was running already')
        : measured(
            startedAt - recordedStart,
            "from the start of the job to the daemon's time of the container's start",
          ),
    containerRunSeconds:
      runSeconds >= 0 ? measured(runSeconds, basis) : unmeasured('its end was not seen'),
    containerCpuPercentMean:
      cpu.value === null
        ? cpu
        : watchedSeconds > 0
          ? measured((100 * cpu.value) / watchedSeconds, `${cpu.basis}, over ${watchedBasis}`)
          : unmeasured('its end was not seen'),
    containerOomKills:
      killed.value === null || run.oomEvents > killed.value
        ? measured(run.oomEvents, "the daemon's events")
        : killed,
  }
}

/** What the command used that asked for the container; the job's own figures do not have it. */
const clientFigures = (usage: Usage): Figures => ({
  containerClientCpuSeconds: usage.cpuTotalSeconds,
  containerClientMemoryBytes: usage.memoryPeakBytes,
})

/**
 * The same beside what the container used. Podman has no daemon: the container's processes are descendants of its client,
 * and whoever waits for them all is told of both together.
 */
export function clientBeside(client: Usage, container: Usage, engine: string): Figures {
  const figures = clientFigures(client)
  const { cpuTotalSeconds: all } = client
  const inside = container.cpuTotalSeconds.value
  if (engine !== 'podman' || all.value === null || inside === null || all.value < inside)
    return figures
  return {
    containerClientCpuSeconds: measured(
      all.value - inside,
      `${all.basis}, less the CPU time of the container`,
    ),
    containerClientMemoryBytes: unmeasured('it was measured together with the container'),
  }
}

/** Where the container could not be measured: the client's figures are not the job's. */
export function unseenUsage(client: Usage, why: string): Usage {
  const figures: Figures = {}
  for (const [key, figure] of Object.entries<Measured>(client))
    figures[key] = isOfMachine(key) ? figure : unmeasured(`the job runs in a container: ${why}`)
  return { ...figures, ...clientFigures(client) } as unknown as Usage
}

/** The client tells the exit code; that the kernel killed something inside, only the container's cgroup and the daemon know. */
export function containerOutcome(
  outcome: Outcome,
  usage: Usage,
  limitBytes: number | null,
): Outcome {
  const { containerOomKills: killed } = usage as unknown as Partial<Figures>
  if ((killed?.value ?? 0) === 0 || outcome.status === 'timeout') return outcome
  const limit = limitBytes === null ? '' : `: the container's limit of ${inMegabytes(limitBytes)}`
  return { ...outcome, reason: `killed for memory${limit}` }
}
