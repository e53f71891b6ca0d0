import { nvmlCodes, nvmlTrouble, type Nvml } from '../../system/nvml.ts'
import { throttledBy, type GpuCard } from './gpu-card.ts'
import type { NvmlActivity } from './nvml-activity.ts'
import { dropImplausible } from './plausible-card.ts'
import {
  knownBytes,
  memoryV2Version,
  processInfoBytes,
  processUtilizationBytes,
  readUint64,
} from './nvml-structs.ts'

const temperatureOfChip = 0
const clockOfSm = 1
const uncorrected = 1
const sinceBoot = 0
/** Bits of NVML's reasons. A slowdown by hardware without one of these may be either, and is neither. */
const powerReasons = 0x4 | 0x80
const heatReasons = 0x20 | 0x40
/** What is told at first may be of long ago: a process whose share is so much older than the newest does nothing now. */
const oldShareMicroseconds = 1.5e6

/** One card or MIG instance, asked through NVML into buffers that are used again. */
export class NvmlDevice {
  readonly card: GpuCard
  readonly activity: NvmlActivity
  readonly #nvml: Nvml
  /** null where the driver does not give the card out: then it has failed. */
  readonly #handle: number | null
  readonly #into = Buffer.alloc(40)
  readonly #count = Buffer.alloc(4)
  #processes = Buffer.alloc(32 * processInfoBytes)
  #shares = Buffer.alloc(32 * processUtilizationBytes)
  /** How many the last answer had. */
  #sharesTold = 0
  /** The driver's own time of the newest. */
  #newestShare = 0
  /** What is older than this is of a time that was told before. */
  #sharesSince = 0
  #hasMemoryV2 = true
  /** Whether it answered that the card is lost or the driver gone. */
  #lost = nvmlCodes.success as number

  constructor(nvml: Nvml, handle: number | null, card: GpuCard, activity: NvmlActivity) {
    this.#nvml = nvml
    this.#handle = handle
    this.card = card
    this.activity = activity
    if (handle !== null) card.activityLoss = activity.open()
  }

  /** The answer that says why the card is lost; success while it is not. */
  look(seldom: boolean): number {
    const handle = this.#handle
    if (handle === null) return nvmlCodes.success
    const { card } = this
    this.#lost = nvmlCodes.success
    const nvml = this.#nvml
    const into = this.#into
    const rates = this.#ask(nvml.nvmlDeviceGetUtilizationRates(handle, into))
    card.utilizationPercent = rates ? into.readUInt32LE(0) : Number.NaN
    card.memoryUtilizationPercent = rates ? into.readUInt32LE(4) : Number.NaN
    this.#readMemory(handle)
    const heat = nvml.nvmlDeviceGetTemperature(handle, temperatureOfChip, into)
    card.temperatureCelsius = this.#ask(heat) ? into.readUInt32LE(0) : Number.NaN
    const power = nvml.nvmlDeviceGetPowerUsage(handle, into)
    card.powerWatts = this.#ask(power) ? into.readUInt32LE(0) / 1000 : Number.NaN
    const clock = nvml.nvmlDeviceGetClockInfo(handle, clockOfSm, into)
    card.clockMegahertz = this.#ask(clock) ? into.readUInt32LE(0) : Number.NaN
    const reasons = nvml.nvmlDeviceGetCurrentClocksThrottleReasons(handle, into)
    card.throttle = this.#ask(reasons) ? throttleOf(into.readUInt32LE(0)) : Number.NaN
    this.#readProcesses(handle)
    if (seldom) this.#readSeldom(handle)
    dropImplausible(card)
    if (this.#lost === nvmlCodes.success) card.failure = null
    else card.fail(nvmlTrouble(this.#lost))
    return this.#lost
  }

  #readMemory(handle: number): void {
    const { card } = this
    const into = this.#into
    if (this.#hasMemoryV2) {
      into.writeUInt32LE(memoryV2Version, 0)
      const code = this.#nvml.nvmlDeviceGetMemoryInfo_v2(handle, into)
      this.#hasMemoryV2 = code !== nvmlCodes.functionNotFound
      const isTold = this.#ask(code)
      if (isTold) card.memoryTotalBytes = knownBytes(readUint64(into, 8))
      card.memoryUsedBytes = isTold ? knownBytes(readUint64(into, 32)) : Number.NaN
      if (this.#hasMemoryV2) return
    }
    const isTold = this.#ask(this.#nvml.nvmlDeviceGetMemoryInfo(handle, into))
    if (isTold) card.memoryTotalBytes = knownBytes(readUint64(into, 0))
    card.memoryUsedBytes = isTold ? knownBytes(readUint64(into, 16)) : Number.NaN
  }

  /** What costs milliseconds, or does not change within seconds. */
  #readSeldom(handle: number): void {
    const { card } = this
    const nvml = this.#nvml
    const into = this.#into
    const energy = nvml.nvmlDeviceGetTotalEnergyConsumption(handle, into)
    card.energyJoules = this.#ask(energy) ? readUint64(into, 0) / 1000 : Number.NaN
    const errors = nvml.nvmlDeviceGetTotalEccErrors(handle, uncorrected, sinceBoot, into)
    card.eccErrors = this.#ask(errors) ? readUint64(into, 0) : Number.NaN
    const limit = nvml.nvmlDeviceGetEnforcedPowerLimit(handle, into)
    if (this.#ask(limit)) card.powerLimitWatts = into.readUInt32LE(0) / 1000
    const clock = nvml.nvmlDeviceGetMaxClockInfo(handle, clockOfSm, into)
    if (this.#ask(clock)) card.mostClockMegahertz = into.readUInt32LE(0)
  }

  #readProcesses(handle: number): void {
    const { processes } = this.card
    processes.count = 0
    const computing = this.#readList(handle, 'nvmlDeviceGetComputeRunningProcesses_v3')
    processes.loss = computing === nvmlCodes.success ? null : nvmlTrouble(computing)
    if (processes.loss !== null) return
    this.#readList(handle, 'nvmlDeviceGetGraphicsRunningProcesses_v3')
    this.#takeShares()
  }

  #readList(
    handle: number,
    call: 'nvmlDeviceGetComputeRunningProcesses_v3' | 'nvmlDeviceGetGraphicsRunningProcesses_v3',
  ): number {
    const { processes } = this.card
    const count = this.#count
    for (let tries = 0; ; tries++) {
      count.writeUInt32LE(this.#processes.length / processInfoBytes, 0)
      const code = this.#nvml[call](handle, count, this.#processes)
      if (code === nvmlCodes.insufficientSize && tries < 3) {
        // More may start before we ask again.
        this.#processes = Buffer.alloc((count.readUInt32LE(0) + 16) * processInfoBytes)
        continue
      }
      if (!this.#ask(code)) return code
      break
    }
    const found = Math.min(count.readUInt32LE(0), this.#processes.length / processInfoBytes)
    for (let at = 0; at < found; at++) {
      const from = at * processInfoBytes
      const bytes = knownBytes(readUint64(this.#processes, from + 8))
      processes.add(this.#processes.readUInt32LE(from), bytes)
    }
    return nvmlCodes.success
  }

  /**
   * Asks what each process did since the last time: five times a second the driver notes which process a card works for, and
   * tells how many of these notes since then name each. It takes 2 ms on an H200, forty times as long as all else that a
   * look asks for.
   */
  readShares(): void {
    if (this.#handle === null) return
    const { processes } = this.card
    const count = this.#count
    this.#sharesTold = 0
    for (let tries = 0; ; tries++) {
      count.writeUInt32LE(this.#shares.length / processUtilizationBytes, 0)
      const code = this.#nvml.nvmlDeviceGetProcessUtilization(
        this.#handle,
        this.#shares,
        count,
        this.#newestShare,
      )
      if (code === nvmlCodes.insufficientSize && tries < 3) {
        this.#shares = Buffer.alloc((count.readUInt32LE(0) + 16) * processUtilizationBytes)
        continue
      }
      processes.tellsUtilization = code === nvmlCodes.notFound || this.#ask(code)
      if (code === nvmlCodes.success)
        this.#sharesTold = Math.min(
          count.readUInt32LE(0),
          this.#shares.length / processUtilizationBytes,
        )
      break
    }
    const isFirst = this.#newestShare === 0
    this.#sharesSince = this.#newestShare
    for (let at = 0; at < this.#sharesTold; at++) {
      const told = readUint64(this.#shares, at * processUtilizationBytes + 8)
      this.#newestShare = Math.max(this.#newestShare, told)
    }
    // Its last note may be of any moment since the last time: who works a fifth of the time is seldom among the newest.
    if (isFirst) this.#sharesSince = this.#newestShare - oldShareMicroseconds
    this.#takeShares()
    processes.sharesAnswers += 1
  }

  /** What was told last. A process that is not among it did nothing. */
  #takeShares(): void {
    const { processes } = this.card
    for (let at = 0; at < processes.count; at++) processes.utilizationPercent[at] = 0
    for (let at = 0; at < this.#sharesTold; at++) this.#takeShare(at * processUtilizationBytes)
  }

  #takeShare(from: number): void {
    const { processes } = this.card
    const pid = this.#shares.readUInt32LE(from)
    const percent = this.#shares.readUInt32LE(from + 16)
    if (readUint64(this.#shares, from + 8) <= this.#sharesSince) return
    // Some drivers answer garbage for a process that has just ended.
    if (pid === 0 || percent > 100) return
    for (let at = 0; at < processes.count; at++)
      if (processes.pids[at] === pid) processes.utilizationPercent[at] = percent
  }

  /** Whether there was an answer; notes where the card or the driver is gone. */
  #ask(code: number): boolean {
    if (code === nvmlCodes.success) return true
    const { gpuIsLost, driverNotLoaded, uninitialized } = nvmlCodes
    if (code === gpuIsLost || code === driverNotLoaded || code === uninitialized || code === 999)
      this.#lost = code
    return false
  }
}

const throttleOf = (reasons: number): number =>
  ((reasons & powerReasons) === 0 ? 0 : throttledBy.power) |
  ((reasons & heatReasons) === 0 ? 0 : throttledBy.heat)
