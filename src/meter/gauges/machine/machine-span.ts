import type { MachineWatch } from '../../machine-watch.ts'
import { mostIoBytesPerSecond, withSlack } from '../../plausible.ts'
import { TimeMean } from '../time-mean.ts'

/** The machine's cumulative counters at one moment. */
interface Moment {
  readonly atSeconds: number
  readonly busySeconds: number
  readonly idleSeconds: number
  readonly ioWaitSeconds: number
  readonly cpuPressureSeconds: number
  readonly memoryPressureSeconds: number
  readonly ioPressureSeconds: number
  readonly diskReadBytes: number
  readonly diskWriteBytes: number
  readonly netReceivedBytes: number
  readonly netSentBytes: number
}

/** Ticks are 10 ms: over less than this, percent of the machine would be noise. */
const shortestSpanSeconds = 0.2

/** What the whole machine did while one job ran. */
export class MachineSpan {
  readonly memoryBytes = new TimeMean()
  readonly #machine: MachineWatch
  readonly #first: Moment
  #before: Moment
  #leastCpuPercent = NaN
  #mostCpuPercent = NaN
  #elapsedSeconds = 0

  constructor(machine: MachineWatch) {
    this.#machine = machine
    machine.look()
    this.#first = this.#moment(0)
    this.#before = this.#first
    this.memoryBytes.add(0, machine.usage.usedMemoryBytes)
  }

  look(elapsedSeconds: number): void {
    this.#elapsedSeconds = elapsedSeconds
    this.memoryBytes.add(elapsedSeconds, this.#machine.usage.usedMemoryBytes)
    if (elapsedSeconds - this.#before.atSeconds < shortestSpanSeconds) return
    const now = this.#moment(elapsedSeconds)
    const percent = busyPercent(this.#before, now)
    this.#before = now
    if (Number.isNaN(percent)) return
    if (!(percent >= this.#leastCpuPercent)) this.#leastCpuPercent = percent
    if (!(percent <= this.#mostCpuPercent)) this.#mostCpuPercent = percent
  }

  /** Over the whole job; NaN where the machine does not tell. */
  meanCpuPercent(): number {
    return busyPercent(this.#first, this.#machine.usage)
  }

  /**
   * The least and most between two looks; undefined where no two were far enough apart. The last look may be close behind the one
   * before it. What went on in between counts in the mean: at some time the machine did no less than that, and no more.
   */
  cpuPercentRange(): { readonly least: number; readonly most: number } | undefined {
    if (Number.isNaN(this.#mostCpuPercent)) return undefined
    const mean = this.meanCpuPercent()
    return {
      least: mean < this.#leastCpuPercent ? mean : this.#leastCpuPercent,
      most: mean > this.#mostCpuPercent ? mean : this.#mostCpuPercent,
    }
  }

  meanIoWaitPercent(): number {
    const now = this.#machine.usage
    const waited = now.ioWaitSeconds - this.#first.ioWaitSeconds
    return Math.min(100, (Math.max(0, waited) / totalSeconds(this.#first, now)) * 100)
  }

  /** Growth of a counter since the job began; NaN where it is not told, or more than there can be. */
  grown(counter: `${string}${'Bytes' | 'PressureSeconds'}` & keyof Moment): number {
    const grown = Math.max(0, this.#machine.usage[counter] - this.#first[counter])
    const most =
      withSlack(this.#elapsedSeconds) * (counter.endsWith('Bytes') ? mostIoBytesPerSecond : 1)
    return grown <= most ? grown : NaN
  }

  #moment(atSeconds: number): Moment {
    const { usage } = this.#machine
    return {
      atSeconds,
      busySeconds: usage.busySeconds,
      idleSeconds: usage.idleSeconds,
      ioWaitSeconds: usage.ioWaitSeconds,
      cpuPressureSeconds: usage.cpuPressureSeconds,
      memoryPressureSeconds: usage.memoryPressureSeconds,
      ioPressureSeconds: usage.ioPressureSeconds,
      diskReadBytes: usage.diskReadBytes,
      diskWriteBytes: usage.diskWriteBytes,
      netReceivedBytes: usage.netReceivedBytes,
      netSentBytes: usage.netSentBytes,
    }
  }
}

type CpuTimes = Pick<Moment, 'busySeconds' | 'idleSeconds' | 'ioWaitSeconds'>

function totalSeconds(from: CpuTimes, to: CpuTimes): number {
  const total =
    to.busySeconds -
    from.busySeconds +
    (to.idleSeconds - from.idleSeconds) +
    (to.ioWaitSeconds - from.ioWaitSeconds)
  return total > 0 ? total : NaN
}

function busyPercent(from: CpuTimes, to: CpuTimes): number {
  const busy = Math.max(0, to.busySeconds - from.busySeconds)
  return Math.min(100, (busy / totalSeconds(from, to)) * 100)
}
