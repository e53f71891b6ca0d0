import type { StoredRound, UsageHour } from '../../model/node-export.ts'
import { csvLine } from '../text/csv.ts'
import { jsonText } from '../text/json-text.ts'
import { utcTime } from '../units/iso-time.ts'

/** One line of an export: the same names in CSV and in JSON. */
export type FlatRow = Readonly<Record<string, string | number | null>>

export const usageRow = (hour: UsageHour): FlatRow => ({
  hour: utcTime(hour.at),
  host: hour.host,
  user: hour.user,
  account: hour.account,
  command: hour.command,
  cpu_seconds: hour.cpuSeconds,
  memory_byte_seconds: hour.memoryByteSeconds,
  gpu_seconds: hour.gpuSeconds,
  gpu_memory_byte_seconds: hour.gpuMemoryByteSeconds,
  read_bytes: hour.readBytes,
  write_bytes: hour.writeBytes,
  energy_joules: hour.joules,
})

export const roundRow = (round: StoredRound): FlatRow => ({
  time: utcTime(round.at),
  host: round.host,
  epoch: round.epoch,
  seconds: round.seconds,
  cores: round.cores,
  cpu_seconds: round.cpuSeconds,
  memory_bytes: round.memoryBytes,
  memory_total_bytes: round.memoryTotalBytes,
  gpus: round.gpus,
  gpu_seconds: round.gpuSeconds,
  gpu_memory_bytes: round.gpuMemoryBytes,
  gpu_memory_total_bytes: round.gpuMemoryTotalBytes,
  read_bytes: round.readBytes,
  write_bytes: round.writeBytes,
  energy_joules: round.joules,
  load: round.load,
  processes: round.processes,
  threads: round.threads,
})

/** A header, and a line for each. Nothing at all where there are none. */
export function* csvRows(rows: Iterable<FlatRow>): Generator<string> {
  let isFirst = true
  for (const row of rows) {
    if (isFirst) yield csvLine(Object.keys(row))
    isFirst = false
    yield csvLine(Object.values(row))
  }
}

export function* jsonLines(rows: Iterable<FlatRow>): Generator<string> {
  for (const row of rows) yield `${jsonText(row)}\n`
}

/** One array, piece by piece. */
export function* jsonArray(rows: Iterable<FlatRow>): Generator<string> {
  let before = '['
  for (const row of rows) {
    yield `${before}\n  ${jsonText(row)}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}
