import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { ColumnDefinition } from '../../model/sample.ts'
import type { FigureDefinition } from '../../model/usage.ts'
import type { ColumnOf, FollowedGauge, Gauge, KeyOf, MeteredJob } from './gauge.ts'
import { countedOver, ioIsWhole } from './whole-account.ts'

const columns = [
  { name: 'read_bytes', kind: 'counter', says: 'bytes fetched from storage' },
  { name: 'write_bytes', kind: 'counter', says: 'bytes sent to storage' },
  { name: 'read_chars', kind: 'counter', says: 'bytes passed through read calls, cached or not' },
  { name: 'write_chars', kind: 'counter', says: 'bytes passed through write calls, cached or not' },
  { name: 'read_calls', kind: 'counter', says: 'read calls' },
  { name: 'write_calls', kind: 'counter', says: 'write calls' },
  { name: 'minor_faults', kind: 'counter', says: 'page faults served from memory' },
  { name: 'major_faults', kind: 'counter', says: 'page faults that waited for storage' },
  { name: 'io_delay_seconds', kind: 'counter', says: 'time processes waited for block I/O' },
] as const satisfies readonly ColumnDefinition[]

const figures = [
  { key: 'readBytes', says: 'fetched from storage' },
  { key: 'writeBytes', says: 'sent to storage' },
  {
    key: 'readChars',
    says: 'passed through read calls, cached or not, pipes and sockets included',
  },
  {
    key: 'writeChars',
    says: 'passed through write calls, cached or not, pipes and sockets included',
  },
  { key: 'readCalls', says: 'read calls' },
  { key: 'writeCalls', says: 'write calls' },
  {
    key: 'ioDelaySeconds',
    says: 'time that processes waited for block I/O, added up over processes',
  },
  { key: 'minorFaults', says: 'page faults served from memory' },
  { key: 'majorFaults', says: 'page faults that waited for storage' },
] as const satisfies readonly FigureDefinition[]

type Column = ColumnOf<typeof columns>
type Key = KeyOf<typeof figures>

/**
 * At full looks: `/proc/PID/io` of every process. At each look: faults and delays, of `/proc/PID/stat`. `Members` reads
 * both, because their order decides whether a child is counted twice.
 */
export const ioGauge: Gauge<Column, Key> = {
  name: 'io',
  reads: ['io'],
  columns,
  figures,
  follow: (job) => new FollowedIo(job),
}

class FollowedIo implements FollowedGauge<Column, Key> {
  readonly #job: MeteredJob

  constructor(job: MeteredJob) {
    this.#job = job
  }

  look(
    row: Float64Array,
    at: Readonly<Record<Column, number>>,
    _elapsedSeconds: number,
    full: boolean,
  ): void {
    const { members, machine, system } = this.#job
    const totals = members.totals()
    row[at.minor_faults] = totals.minorFaults
    row[at.major_faults] = totals.majorFaults
    if (machine.delayAccounting)
      row[at.io_delay_seconds] = totals.ioDelayTicks / system.host.ticksPerSecond
    if (!full || !members.ioReadable) return
    row[at.read_bytes] = totals.readBytes
    row[at.write_bytes] = totals.writeBytes
    row[at.read_chars] = totals.readChars
    row[at.write_chars] = totals.writeChars
    row[at.read_calls] = totals.readCalls
    row[at.write_calls] = totals.writeCalls
  }

  figures(): Readonly<Record<Key, Measured>> {
    const job = this.#job
    const { members, machine, accounts, system } = job
    const totals = members.totals()
    const readable = members.ioReadable
    const basis = '/proc/PID/io of all processes, dead ones included'
    const figure = (value: number): Measured => {
      if (!readable)
        return unmeasured('/proc/PID/io of some process could not be read: no permission')
      return ioIsWhole(job)
        ? measured(value, basis)
        : atLeast(value, `${basis}, except those that nobody waited for`)
    }
    const faults = accounts.root === null ? '/proc/PID/stat' : accounts.words
    const counted = countedOver(job)
    return {
      readBytes: figure(totals.readBytes),
      writeBytes: figure(totals.writeBytes),
      readChars: figure(totals.readChars),
      writeChars: figure(totals.writeChars),
      readCalls: figure(totals.readCalls),
      writeCalls: figure(totals.writeCalls),
      ioDelaySeconds: machine.delayAccounting
        ? measured(
            totals.ioDelayTicks / system.host.ticksPerSecond,
            'delay accounting of the kernel',
          )
        : unmeasured(
            'the kernel has delay accounting off; sysctl kernel.task_delayacct=1 turns it on',
          ),
      minorFaults: counted(totals.minorFaults, faults),
      majorFaults: counted(totals.majorFaults, faults),
    }
  }
}
