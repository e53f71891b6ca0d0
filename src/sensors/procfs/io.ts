import { KeyedNumbers } from '../keyed-numbers.ts'

/** /proc/PID/io: of the process with all its threads and the children it has waited for. */
export class ProcessIo {
  /** Bytes asked for in read calls, served from the page cache or not. */
  readChars = Number.NaN
  writeChars = Number.NaN
  readCalls = Number.NaN
  writeCalls = Number.NaN
  /** Bytes that had to come from storage. */
  readBytes = Number.NaN
  writeBytes = Number.NaN
  /** Bytes counted as written whose pages were dropped before they got to storage. */
  cancelledWriteBytes = Number.NaN
}

const lines = new KeyedNumbers([
  'rchar:',
  'wchar:',
  'syscr:',
  'syscw:',
  'read_bytes:',
  'write_bytes:',
  'cancelled_write_bytes:',
])

export function parseIo(bytes: Uint8Array, length: number, into: ProcessIo): boolean {
  lines.find(bytes, length)
  into.readChars = lines.number('rchar:')
  into.writeChars = lines.number('wchar:')
  into.readCalls = lines.number('syscr:')
  into.writeCalls = lines.number('syscw:')
  into.readBytes = lines.number('read_bytes:')
  into.writeBytes = lines.number('write_bytes:')
  into.cancelledWriteBytes = lines.number('cancelled_write_bytes:')
  const calls = into.readChars + into.writeChars + into.readCalls + into.writeCalls
  // NaN is contagious: all seven lines have been there since Linux 2.6.20.
  return !Number.isNaN(calls + into.readBytes + into.writeBytes + into.cancelledWriteBytes)
}
