import { noSwapBasis } from '../../meter/gauges/memory.ts'
import { inMegabytes } from '../../model/bytes.ts'
import { atLeast, isLowerBound, measured, unmeasured, type Measured } from '../../model/measured.ts'
import { killedForMemoryText, type Outcome } from '../../model/outcome.ts'
import {
  cpuUnseenFigure,
  memoryLimitFigure,
  memoryLimitIn,
  memoryLimitMetIn,
  withMemoryLimit,
  type Usage,
} from '../../model/usage.ts'
import type { Inspected } from '../../sensors/container/inspected.ts'
import { containerTimes, meanCpu } from './container-times.ts'
import type { MeasuredRun } from './measured-run.ts'
import { noteLimitMet } from './memory-limit-met.ts'

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
  const bounded = { ...figures, ...boundsAtEnd(run, figures) } as unknown as Usage
  const whole = {
    ...bounded,
    ...runFigures(run, bounded, recordedStart, recordedStart + durationSeconds),
  }
  const limitBytes = run.inspected?.limits.memoryBytes ?? null
  return limitBytes === null || !wasKilled(whole)
    ? whole
    : noteLimitMet(whole, limitBytes, run.seenBy?.seen ?? { oomKills: NaN, limitHits: NaN })
}

const killsIn = (usage: Usage): Measured | undefined =>
  (usage as unknown as Partial<Figures>).containerOomKills

/** Whether anything in the container was killed for memory. */
const wasKilled = (usage: Usage): boolean => (killsIn(usage)?.value ?? 0) > 0

function killedText(usage: Usage): string {
  const kills = killsIn(usage)
  const bound = kills !== undefined && isLowerBound(kills) ? 'at least ' : ''
  return `${bound}${killedForMemoryText(Math.max(1, kills?.value ?? 1))}`
}

/** What is known of a container before it runs, and means and shares, which the last moments cannot have changed much. */
const isSettled = (key: string): boolean =>
  /^machine|Limit|Reservation|Mean|Min[A-Z]|ThrottledPercent/.test(key) && key !== 'cpuPercentMean'

/** What a glimpse reads; all else is of the last full look. */
const isGlimpsed = (key: string): boolean => /cpu|memory/i.test(key) && !key.includes('Pressure')

/** Where the cgroup was gone before the last look, the last glimpse of it may lack a few milliseconds. Of one that may run on unseen, nothing is final. */
function boundsAtEnd(run: MeasuredRun, figures: Figures): Figures {
  const { missedSeconds, isRunning, hasRestarted, silence } = run
  const isUnknown = isRunning && silence !== null
  if (!hasRestarted && !isUnknown && (missedSeconds === 0 || isRunning)) return {}
  const read = missedSeconds >= 0 ? `read at most ${missedSeconds.toFixed(2)} s` : 'last read'
  const atItsEnd = (key: string): string =>
    isGlimpsed(key) ? `${read} before its end` : 'at the last full look before its end'
  const when = hasRestarted
    ? 'until it was first started again'
    : isUnknown
      ? 'as of the last look: its daemon no longer answers'
      : null
  const bounded: Figures = {}
  for (const [key, figure] of Object.entries(figures))
    if (
      figure.value !== null &&
      !isSettled(key) &&
      !isLowerBound(figure) &&
      !figure.basis.startsWith(noSwapBasis)
    )
      bounded[key] = atLeast(figure.value, `${figure.basis}, ${when ?? atItsEnd(key)}`)
  if (when === null && missedSeconds >= 0 && bounded['cpuTotalSeconds'] !== undefined)
    bounded[cpuUnseenFigure.key] = measured(missedSeconds, `CPU time was ${read} before its end`)
  return bounded
}

function runFigures(
  run: MeasuredRun,
  usage: Usage,
  recordedStart: number,
  recordedEnd: number,
): Figures {
  const { inspected, end } = run
  const times = containerTimes({
    startedAt: inspected?.startedAt ?? null,
    endedAt: end?.atSeconds ?? inspected?.finishedAt ?? null,
    isRunning: run.isRunning,
    isOwn: run.isOwn,
    recordedStart,
    recordedEnd,
  })
  return {
    containerStartupSeconds: times.startup,
    containerRunSeconds: times.run,
    containerCpuPercentMean: meanCpu(usage.cpuTotalSeconds, times.watched, run.machineCores),
    containerOomKills: oomKills(run, usage.processesKilledForMemory),
  }
}

/** As its cgroup counted. Events say only that something was killed: docker may send three of them for one kill. */
function oomKills(run: MeasuredRun, counted: Measured): Measured {
  const { oomEvents, hearsEvents, silence, end, hasRestarted } = run
  if (counted.value !== null && (counted.value > 0 || oomEvents === 0)) return counted
  const basis = "the daemon's events"
  if (oomEvents > 0) return atLeast(1, basis)
  if (hearsEvents && silence === null) return measured(0, basis)
  // Of one that has ended the daemon tells whether it was killed for memory, but only of its last life.
  const isDescribed = !hasRestarted && (end?.exitCode ?? null) !== null
  return isDescribed
    ? measured(0, "the daemon's description of its end")
    : unmeasured("the daemon's events were lost before its end")
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

/** The limit that was set for the job holds for its container, unless the command sets another one, or the user named it. */
export function withClientLimit(
  container: Usage,
  client: Usage,
  inspected: Inspected | undefined,
): Usage {
  const limitBytes = memoryLimitIn(client)
  return limitBytes === null || limitBytes !== inspected?.limits.memoryBytes
    ? container
    : withMemoryLimit(container, limitBytes)
}

/** Where the container could not be measured: the client's figures are not the job's. The limit is, as it was set and not measured. */
export function unseenUsage(client: Usage, why: string): Usage {
  const figures: Figures = {}
  for (const [key, figure] of Object.entries<Measured>(client))
    figures[key] =
      isOfMachine(key) || key === memoryLimitFigure.key
        ? figure
        : unmeasured(`the job runs in a container: ${why}`)
  return { ...figures, ...clientFigures(client) } as unknown as Usage
}

/** The client tells the exit code; that the kernel killed something inside, only the container's cgroup and the daemon know. */
export function containerOutcome(outcome: Outcome, usage: Usage): Outcome {
  if (!wasKilled(usage) || outcome.status === 'timeout') return outcome
  const metBytes = memoryLimitMetIn(usage)
  const limit = metBytes === null ? null : `the container's limit of ${inMegabytes(metBytes)}`
  // The job went on to its end: it was not the job itself that was killed.
  if (outcome.status === 'success')
    return { ...outcome, reason: `${killedText(usage)}${limit === null ? '' : ` at ${limit}`}` }
  return { ...outcome, reason: `killed for memory${limit === null ? '' : `: ${limit}`}` }
}
