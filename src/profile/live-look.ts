import { sampleIndex } from '../model/sample.ts'
import type { MachineUsage } from '../sensors/machine-sensor.ts'

/** Where everything stood at one moment: raw counters and gauges, NaN where something is not told. */
export class LiveLook {
  elapsedSeconds = 0
  /** That processes can run on; without end where nobody has said. */
  cores = Infinity
  processCpuSeconds = NaN
  processMemoryBytes = NaN
  readBytes = NaN
  writeBytes = NaN
  /** Time that the processes waited for disks, by the kernel's delay accounting. */
  ioDelaySeconds = NaN
  machineBusySeconds = NaN
  machineIdleSeconds = NaN
  machineIoWaitSeconds = NaN
  /** Time in which some task of the machine waited for a disk, by its pressure file. */
  machineIoPressureSeconds = NaN
  machineMemoryBytes = NaN
  machineUsedBytes = NaN

  /** Takes what the gauges wrote into a sample, and what they have read of the machine. */
  take(row: Float64Array, elapsedSeconds: number, machine: MachineUsage | null): void {
    const at = (index: number): number => row[index] ?? NaN
    this.elapsedSeconds = elapsedSeconds
    this.processCpuSeconds = at(sampleIndex.cpu_user_seconds) + at(sampleIndex.cpu_system_seconds)
    this.processMemoryBytes = at(sampleIndex.memory_bytes)
    this.readBytes = at(sampleIndex.read_bytes)
    this.writeBytes = at(sampleIndex.write_bytes)
    this.ioDelaySeconds = at(sampleIndex.io_delay_seconds)
    this.machineBusySeconds = machine?.busySeconds ?? NaN
    this.machineIdleSeconds = machine?.idleSeconds ?? NaN
    this.machineIoWaitSeconds = machine?.ioWaitSeconds ?? NaN
    this.machineIoPressureSeconds = machine?.ioPressureSeconds ?? NaN
    this.machineMemoryBytes = machine?.totalMemoryBytes ?? NaN
    this.machineUsedBytes = machine?.usedMemoryBytes ?? NaN
  }

  setTo(other: LiveLook): void {
    Object.assign(this, other)
  }
}
