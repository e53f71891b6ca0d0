import { sampleIndex } from '../model/sample.ts'
import type { CgroupUsage } from '../sensors/cgroup/cgroup-sensor.ts'
import type { System } from '../system/system.ts'
import type { JobCpu } from './job-cpu.ts'
import type { MachineWatch } from './machine-watch.ts'
import type { Members } from './members.ts'
import type { MemoryGauge } from './memory-gauge.ts'

/** What a sample shows of a job. */
interface Sampled {
  readonly cpu: JobCpu
  readonly members: Members
  readonly memory: MemoryGauge
  readonly cgroupUsage: CgroupUsage
  readonly machine: MachineWatch
}

/** Writes down where a job stands; what was not looked at, or cannot be told, is NaN. */
export function fillSampleRow(
  row: Float64Array,
  job: Sampled,
  system: System,
  elapsedSeconds: number,
  full: boolean,
): void {
  const { members, memory, cgroupUsage, cpu } = job
  row.fill(NaN)
  row[sampleIndex.elapsed_seconds] = elapsedSeconds
  row[sampleIndex.cpu_user_seconds] = cpu.userSeconds
  row[sampleIndex.cpu_system_seconds] = cpu.systemSeconds
  // After the last process has ended there is nothing whose memory could be told.
  if (members.liveProcesses > 0) row[sampleIndex.memory_bytes] = memory.memoryBytes
  row[sampleIndex.rss_bytes] = memory.rssBytes
  row[sampleIndex.cgroup_memory_bytes] = cgroupUsage.memoryBytes
  row[sampleIndex.num_processes] = members.liveProcesses
  row[sampleIndex.num_threads] = members.liveThreads
  row[sampleIndex.cpu_pressure_seconds] = cgroupUsage.cpuPressureSeconds
  row[sampleIndex.memory_pressure_seconds] = cgroupUsage.memoryPressureSeconds
  row[sampleIndex.io_pressure_seconds] = cgroupUsage.ioPressureSeconds
  fillCounters(row, job, system, full)
  if (full) job.machine.record(row)
}

function fillCounters(row: Float64Array, job: Sampled, system: System, full: boolean): void {
  const totals = job.members.totals()
  row[sampleIndex.minor_faults] = totals.minorFaults
  row[sampleIndex.major_faults] = totals.majorFaults
  if (job.machine.delayAccounting)
    row[sampleIndex.io_delay_seconds] = totals.ioDelayTicks / system.host.ticksPerSecond
  if (!full) return
  row[sampleIndex.swap_bytes] = job.memory.swapBytes
  if (!job.members.ioReadable) return
  row[sampleIndex.read_bytes] = totals.readBytes
  row[sampleIndex.write_bytes] = totals.writeBytes
  row[sampleIndex.read_chars] = totals.readChars
  row[sampleIndex.write_chars] = totals.writeChars
  row[sampleIndex.read_calls] = totals.readCalls
  row[sampleIndex.write_calls] = totals.writeCalls
}
