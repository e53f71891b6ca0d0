import type { ColumnDefinition } from '../../../model/sample.ts'
import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import type { OwnPart } from './own-part.ts'

type Read = (card: GpuCard, own: OwnPart) => number

/** What a row of a card says, in its order. */
const columns: readonly (readonly [ColumnDefinition, Read])[] = [
  [{ name: 'gpu_index', kind: 'gauge', says: 'the number of the card' }, (card) => card.number],
  [
    {
      name: 'utilization_percent',
      kind: 'gauge',
      says: 'share of the last moment in which it worked',
    },
    (card) => card.utilizationPercent,
  ],
  [
    {
      name: 'memory_utilization_percent',
      kind: 'gauge',
      says: 'share of it in which its memory was read or written',
    },
    (card) => card.memoryUtilizationPercent,
  ],
  [
    { name: 'memory_used_bytes', kind: 'gauge', says: 'memory in use, by whomever' },
    (card) => card.memoryUsedBytes,
  ],
  [
    { name: 'memory_total_bytes', kind: 'gauge', says: 'memory that it has' },
    (card) => card.memoryTotalBytes,
  ],
  [
    { name: 'temperature_celsius', kind: 'gauge', says: 'its temperature' },
    (card) => card.temperatureCelsius,
  ],
  [{ name: 'power_watts', kind: 'gauge', says: 'its power' }, (card) => card.powerWatts],
  [
    { name: 'power_limit_watts', kind: 'gauge', says: 'the most that it may draw' },
    (card) => card.powerLimitWatts,
  ],
  [
    { name: 'clock_megahertz', kind: 'gauge', says: 'clock of its multiprocessors' },
    (card) => card.clockMegahertz,
  ],
  [
    {
      name: 'throttle',
      kind: 'gauge',
      says: 'what slows it down: 1 power, 2 heat, 3 both',
    },
    (card) => card.throttle,
  ],
  [
    {
      name: 'energy_joules',
      kind: 'counter',
      says: 'drawn since the driver was loaded; read seldom',
    },
    (card) => card.energyJoules,
  ],
  [
    { name: 'own_processes', kind: 'gauge', says: "the job's processes on it" },
    // Where nobody can tell which are its own, none is counted.
    (_, own) => (own.isUnknown || own.isUnseen ? Number.NaN : own.count),
  ],
  [
    { name: 'own_memory_bytes', kind: 'gauge', says: "memory of the job's processes" },
    (_, own) => own.memoryBytes,
  ],
  [
    { name: 'own_utilization_percent', kind: 'gauge', says: 'its work for the job' },
    (_, own) => own.utilizationPercent,
  ],
  [
    { name: 'sm_active_percent', kind: 'gauge', says: 'multiprocessors that had work' },
    (card) => card.activity.smActivePercent,
  ],
  [
    { name: 'sm_occupancy_percent', kind: 'gauge', says: 'threads that they held, of the most' },
    (card) => card.activity.smOccupancyPercent,
  ],
  [
    { name: 'tensor_percent', kind: 'gauge', says: 'work of its tensor units' },
    (card) => card.activity.tensorPercent,
  ],
  [
    { name: 'dram_percent', kind: 'gauge', says: 'use of its memory bandwidth' },
    (card) => card.activity.dramPercent,
  ],
  [
    { name: 'pcie_bytes_per_second', kind: 'gauge', says: 'moved over PCIe, both ways' },
    (card) => card.activity.pcieBytesPerSecond,
  ],
]

export const cardColumns: readonly string[] = columns.map(([{ name }]) => name)

const reads = columns.map(([, read]) => read)

/** What units did is a mean over some seconds, and comes last: what was told before the job held the card is not its. */
const firstOfUnits = cardColumns.indexOf('sm_active_percent')

export function writeRow(
  values: Float64Array,
  card: GpuCard,
  own: OwnPart,
  tellsUnits: boolean,
): void {
  const end = tellsUnits ? reads.length : firstOfUnits
  for (let at = 0; at < end; at++) values[at] = reads[at]?.(card, own) ?? Number.NaN
}
