import { fstatSync } from 'node:fs'
import { loadKoffi } from './libc.ts'

const POLLIN = 1

/** Whether something can be read from standard input now that somebody put there: a pipe or a file with something in it. */
export function hasWaitingInput(): boolean {
  const kind = fstatOrNull(0)
  if (kind === null) return false
  if (kind.isFile()) return kind.size > 0
  return kind.isFIFO() && canBeRead(0)
}

function fstatOrNull(descriptor: number) {
  try {
    return fstatSync(descriptor)
  } catch {
    // It is closed.
    return null
  }
}

/** Asked of the kernel, which takes nothing out of the pipe. */
function canBeRead(descriptor: number): boolean {
  const koffi = loadKoffi()
  if (koffi.kind !== 'ok') return false
  const poll = koffi.value
    .load('libc.so.6')
    .func('int poll(void *descriptors, unsigned long count, int milliseconds)')
  const asked = Buffer.alloc(8)
  asked.writeInt32LE(descriptor, 0)
  asked.writeInt16LE(POLLIN, 4)
  return poll(asked, 1, 0) === 1 && (asked.readInt16LE(6) & POLLIN) !== 0
}
