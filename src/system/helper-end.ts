import { readSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { loadKoffi } from './libc.ts'

/** Requests and answers each begin with their length; the rest of this keeps what follows at a multiple of 8. */
export const lineHead = 8

/** A request or an answer, with its head. */
export function framed(bytes: Uint8Array): Buffer {
  const whole = Buffer.concat([Buffer.alloc(lineHead), bytes])
  whole.writeUInt32LE(bytes.length, 0)
  return whole
}

const PR_SET_PDEATHSIG = 1

/** The other end of a `HelperLine`: answers one request after the other until whoever started this process is gone. */
export function answerRequests(answer: (request: Buffer) => Buffer): void {
  for (;;) {
    const request = nextRequest()
    if (request === undefined) return
    sendAnswer(answer(request))
  }
}

/** Fills in the head, for which the answer has room. In one call where the pipe has it too: each takes some microseconds, and somebody waits. */
export function sendAnswer(answer: Buffer): void {
  answer.writeUInt32LE(answer.length - lineHead, 0)
  for (let at = 0; at < answer.length;) at += writeSync(1, answer, at)
}

/** The end of input tells us too, but not while a call hangs. */
export function endWithParent(): void {
  const koffi = loadKoffi()
  if (koffi.kind !== 'ok') return
  const prctl = koffi.value.load('libc.so.6').func('int prctl(int option, unsigned long value)')
  prctl(PR_SET_PDEATHSIG, constants.signals.SIGKILL)
}

let bytes = Buffer.alloc(4096)

/** undefined at the end of input. The next one comes only when this one is answered. */
function nextRequest(): Buffer | undefined {
  for (let length = 0; ;) {
    const read = readSync(0, bytes, length, bytes.length - length, null)
    if (read === 0) return undefined
    length += read
    if (length < lineHead) continue
    const whole = lineHead + bytes.readUInt32LE(0)
    if (whole > bytes.length) bytes = Buffer.concat([bytes], whole)
    if (length === whole) return bytes.subarray(lineHead, whole)
  }
}
