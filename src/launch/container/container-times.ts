import { measured, unmeasured, type Measured } from '../../model/measured.ts'

/** What a daemon said of when a container ran, and what is known of that here. In seconds since 1970. */
export interface ToldTimes {
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly isRunning: boolean
  /** It was started for the job, not before. */
  readonly isOwn: boolean
  readonly recordedStart: number
  readonly recordedEnd: number
}

export interface ContainerTimes {
  readonly startup: Measured
  readonly run: Measured
  /** For how long it ran while it was watched. */
  readonly watched: Measured
}

/** The clock of a daemon in a virtual machine may differ a little, and a container may be ended after its job. */
const slackSeconds = 60
/** No container has run for so long. */
const longestSeconds = 20 * 365 * 86_400

const basis = "the daemon's times of its start and its end"

/** How long a container took to start and ran. A daemon may tell any times: those that cannot be true are not used. */
export function containerTimes(told: ToldTimes): ContainerTimes {
  const { startedAt, recordedStart, recordedEnd, isOwn } = told
  const oddStart = whyOddStart(told)
  if (startedAt === null || oddStart !== null) {
    const missing = unmeasured(oddStart ?? 'the daemon does not tell when it was started')
    const seconds = recordedEnd - recordedStart
    // One that was there before and after was watched all the time, whenever it began.
    const isWhole = !isOwn && told.isRunning
    const watched = isWhole ? measured(seconds, 'the time that it was watched') : missing
    return { startup: missing, run: missing, watched }
  }
  const startup =
    startedAt >= recordedStart
      ? measured(
          startedAt - recordedStart,
          "from the start of the job to the daemon's time of the container's start",
        )
      : unmeasured(
          isOwn ? 'by its daemon, it was started before the job' : 'it was running already',
        )
  const from = Math.max(startedAt, recordedStart)
  const run = ranUntil(told, startedAt)
  if (told.isRunning) {
    const watched = measured(recordedEnd - from, 'the time that it was watched')
    return { startup, run, watched }
  }
  return { startup, run, watched: run.value === null ? run : ranUntil(told, from) }
}

function whyOddStart({ startedAt, recordedStart, recordedEnd, isOwn }: ToldTimes): string | null {
  if (startedAt === null) return null
  const earliest = recordedStart - (isOwn ? slackSeconds : longestSeconds)
  if (startedAt < earliest)
    return `the daemon's time of its start (${shown(startedAt)}) is too early`
  return startedAt > recordedEnd + slackSeconds
    ? `the daemon's time of its start (${shown(startedAt)}) is after the end of the job`
    : null
}

function ranUntil({ endedAt, recordedEnd }: ToldTimes, from: number): Measured {
  if (endedAt === null) return unmeasured('its end was not seen')
  if (endedAt > recordedEnd + slackSeconds)
    return unmeasured(
      `the daemon's time of its end (${shown(endedAt)}) is after the end of the job`,
    )
  return endedAt >= from
    ? measured(endedAt - from, basis)
    : unmeasured(`the daemon's time of its end (${shown(endedAt)}) is before that of its start`)
}

/** Beyond what a date can be, as it is. */
function shown(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString()
}

/** The mean CPU of a container, in percent of one core; more than the machine has cannot be. */
export function meanCpu(cpu: Measured, watched: Measured, machineCores: number): Measured {
  if (cpu.value === null) return cpu
  if (watched.value === null) return watched
  if (watched.value === 0) return unmeasured('its end was not seen')
  const percent = (100 * cpu.value) / watched.value
  // A little more is no contradiction: counters and the clock are not read at the same moment.
  return percent > 105 * machineCores
    ? unmeasured(`by ${watched.basis}, it used more CPUs than the machine has`)
    : measured(percent, `${cpu.basis}, over ${watched.basis}`)
}
