import { measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { ColumnDefinition } from '../../model/sample.ts'
import type { FigureDefinition } from '../../model/usage.ts'
import type { MachineWatch } from '../machine-watch.ts'
import type { ColumnOf, FollowedEnd, FollowedGauge, Gauge, KeyOf } from './gauge.ts'
import { MachineSpan } from './machine/machine-span.ts'

const columns = [
  { name: 'machine_cpu_seconds', kind: 'counter', says: 'busy CPU time of the whole machine' },
  {
    name: 'machine_io_wait_seconds',
    kind: 'counter',
    says: 'CPU time that the whole machine spent idle, waiting for I/O',
  },
  { name: 'machine_memory_bytes', kind: 'gauge', says: 'memory in use on the whole machine' },
  { name: 'machine_disk_read_bytes', kind: 'counter', says: 'bytes read from all disks' },
  { name: 'machine_disk_write_bytes', kind: 'counter', says: 'bytes written to all disks' },
  {
    name: 'machine_net_received_bytes',
    kind: 'counter',
    says: 'bytes received on all interfaces except loopback',
  },
  {
    name: 'machine_net_sent_bytes',
    kind: 'counter',
    says: 'bytes sent on all interfaces except loopback',
  },
] as const satisfies readonly ColumnDefinition[]

const figures = [
  { key: 'machineCpuPercentMean', says: 'CPU of the whole machine; 100 is every core' },
  { key: 'machineCpuPercentMax', says: 'the same, the highest between two looks' },
  { key: 'machineCpuPercentMin', says: 'the same, the lowest between two looks' },
  {
    key: 'machineMemoryMeanBytes',
    says: 'memory in use on the whole machine (total minus available)',
  },
  { key: 'machineMemoryMaxBytes', says: 'the same, the highest seen' },
  { key: 'machineMemoryMinBytes', says: 'the same, the lowest seen' },
  {
    key: 'machineIoWaitPercentMean',
    says: 'share of the time that cores were idle while something waited for I/O',
  },
  {
    key: 'machineCpuPressureSeconds',
    says: 'time during which some task of the machine waited for a core',
  },
  {
    key: 'machineMemoryPressureSeconds',
    says: 'time during which some task of the machine waited for memory',
  },
  {
    key: 'machineIoPressureSeconds',
    says: 'time during which some task of the machine waited for I/O',
  },
  { key: 'machineDiskReadBytes', says: 'read from all disks of the machine' },
  { key: 'machineDiskWriteBytes', says: 'written to all disks of the machine' },
  {
    key: 'machineNetReceivedBytes',
    says: 'received on all network interfaces except loopback',
  },
  { key: 'machineNetSentBytes', says: 'sent on all network interfaces except loopback' },
] as const satisfies readonly FigureDefinition[]

type Column = ColumnOf<typeof columns>
type Key = KeyOf<typeof figures>

/** At full looks: the files that tell of the whole machine, read once for all jobs of the same moment. */
export const machineGauge: Gauge<Column, Key> = {
  name: 'machine',
  reads: ['machine'],
  columns,
  figures,
  follow: ({ machine }) => new FollowedMachine(machine),
}

class FollowedMachine implements FollowedGauge<Column, Key> {
  readonly #machine: MachineWatch
  readonly #span: MachineSpan

  constructor(machine: MachineWatch) {
    this.#machine = machine
    this.#span = new MachineSpan(machine)
  }

  look(
    row: Float64Array,
    at: Readonly<Record<Column, number>>,
    elapsedSeconds: number,
    full: boolean,
  ): void {
    if (!full) return
    this.#span.look(elapsedSeconds)
    const { usage } = this.#machine
    row[at.machine_cpu_seconds] = usage.busySeconds
    row[at.machine_io_wait_seconds] = usage.ioWaitSeconds
    row[at.machine_memory_bytes] = usage.usedMemoryBytes
    row[at.machine_disk_read_bytes] = usage.diskReadBytes
    row[at.machine_disk_write_bytes] = usage.diskWriteBytes
    row[at.machine_net_received_bytes] = usage.netReceivedBytes
    row[at.machine_net_sent_bytes] = usage.netSentBytes
  }

  figures({ durationSeconds }: FollowedEnd): Readonly<Record<Key, Measured>> {
    const span = this.#span
    const cpuRange = span.cpuPercentRange()
    const cpuPercent = (value: number | undefined): Measured =>
      value === undefined
        ? measured(span.meanCpuPercent(), '/proc/stat over the whole job, too short to divide')
        : measured(value, '/proc/stat between looks')
    const pressure = (counter: Parameters<typeof span.grown>[0], file: string): Measured =>
      Number.isNaN(span.grown(counter))
        ? unmeasured('the kernel has pressure accounting off; booting with psi=1 turns it on')
        : measured(span.grown(counter), `/proc/pressure/${file}`)
    return {
      machineCpuPercentMean: measured(span.meanCpuPercent(), '/proc/stat over the whole job'),
      machineCpuPercentMax: cpuPercent(cpuRange?.most),
      machineCpuPercentMin: cpuPercent(cpuRange?.least),
      machineMemoryMeanBytes: measured(
        span.memoryBytes.meanUntil(durationSeconds),
        '/proc/meminfo: total minus available',
      ),
      machineMemoryMaxBytes: measured(span.memoryBytes.most, '/proc/meminfo at the looks'),
      machineMemoryMinBytes: measured(span.memoryBytes.least, '/proc/meminfo at the looks'),
      machineIoWaitPercentMean: measured(span.meanIoWaitPercent(), '/proc/stat over the whole job'),
      machineCpuPressureSeconds: pressure('cpuPressureSeconds', 'cpu'),
      machineMemoryPressureSeconds: pressure('memoryPressureSeconds', 'memory'),
      machineIoPressureSeconds: pressure('ioPressureSeconds', 'io'),
      machineDiskReadBytes: measured(span.grown('diskReadBytes'), '/proc/diskstats, whole disks'),
      machineDiskWriteBytes: measured(span.grown('diskWriteBytes'), '/proc/diskstats, whole disks'),
      machineNetReceivedBytes: measured(
        span.grown('netReceivedBytes'),
        '/proc/net/dev without loopback',
      ),
      machineNetSentBytes: measured(span.grown('netSentBytes'), '/proc/net/dev without loopback'),
    }
  }
}
