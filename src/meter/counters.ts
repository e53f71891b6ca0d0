import type { Member } from './member.ts'

/**
 * The counters of a job or of a part of it, in the kernel's units. Spelt out, not looped over names: this runs at every
 * look, and `add` for every process.
 */
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
    this.userTicks = other.userTicks
    this.systemTicks = other.systemTicks
    this.minorFaults = other.minorFaults
    this.majorFaults = other.majorFaults
    this.readChars = other.readChars
    this.writeChars = other.writeChars
    this.readCalls = other.readCalls
    this.writeCalls = other.writeCalls
    this.readBytes = other.readBytes
    this.writeBytes = other.writeBytes
    this.ioDelayTicks = other.ioDelayTicks
  }

  subtract(other: Counters): void {
    this.userTicks = Math.max(0, this.userTicks - other.userTicks)
    this.systemTicks = Math.max(0, this.systemTicks - other.systemTicks)
    this.minorFaults = Math.max(0, this.minorFaults - other.minorFaults)
    this.majorFaults = Math.max(0, this.majorFaults - other.majorFaults)
    this.readChars = Math.max(0, this.readChars - other.readChars)
    this.writeChars = Math.max(0, this.writeChars - other.writeChars)
    this.readCalls = Math.max(0, this.readCalls - other.readCalls)
    this.writeCalls = Math.max(0, this.writeCalls - other.writeCalls)
    this.readBytes = Math.max(0, this.readBytes - other.readBytes)
    this.writeBytes = Math.max(0, this.writeBytes - other.writeBytes)
    this.ioDelayTicks = Math.max(0, this.ioDelayTicks - other.ioDelayTicks)
  }

  /** Counters never go back: where a look came out lower, what was known before holds. */
  raiseTo(other: Counters): void {
    this.userTicks = Math.max(this.userTicks, other.userTicks)
    this.systemTicks = Math.max(this.systemTicks, other.systemTicks)
    this.minorFaults = Math.max(this.minorFaults, other.minorFaults)
    this.majorFaults = Math.max(this.majorFaults, other.majorFaults)
    this.readChars = Math.max(this.readChars, other.readChars)
    this.writeChars = Math.max(this.writeChars, other.writeChars)
    this.readCalls = Math.max(this.readCalls, other.readCalls)
    this.writeCalls = Math.max(this.writeCalls, other.writeCalls)
    this.readBytes = Math.max(this.readBytes, other.readBytes)
    this.writeBytes = Math.max(this.writeBytes, other.writeBytes)
    this.ioDelayTicks = Math.max(this.ioDelayTicks, other.ioDelayTicks)
  }
}
