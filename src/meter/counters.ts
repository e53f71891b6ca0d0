import type { Member } from './member.ts'

const names = [
  'userTicks',
  'systemTicks',
  'minorFaults',
  'majorFaults',
  'readChars',
  'writeChars',
  'readCalls',
  'writeCalls',
  'readBytes',
  'writeBytes',
  'ioDelayTicks',
] as const

/** The counters of a job or of a part of it, in the kernel's units. */
export class Counters {
  userTicks = 0
  systemTicks = 0
  minorFaults = 0
  majorFaults = 0
  readChars = 0
  writeChars = 0
  readCalls = 0
  writeCalls = 0
  readBytes = 0
  writeBytes = 0
  ioDelayTicks = 0

  /** Spelt out, not looped over names: this runs for every process at every look. */
  add(other: Counters | Member): void {
    this.userTicks += other.userTicks
    this.systemTicks += other.systemTicks
    this.minorFaults += other.minorFaults
    this.majorFaults += other.majorFaults
    this.readChars += other.readChars
    this.writeChars += other.writeChars
    this.readCalls += other.readCalls
    this.writeCalls += other.writeCalls
    this.readBytes += other.readBytes
    this.writeBytes += other.writeBytes
    this.ioDelayTicks += other.ioDelayTicks
  }

  setTo(other: Counters): void {
    for (const name of names) this[name] = other[name]
  }

  subtract(other: Counters): void {
    for (const name of names) this[name] = Math.max(0, this[name] - other[name])
  }

  /** Counters never go back: where a look came out lower, what was known before holds. */
  raiseTo(other: Counters): void {
    for (const name of names) this[name] = Math.max(this[name], other[name])
  }
}
