import { closeSync } from 'node:fs'
import { failed, ok, type Reading } from '../model/reading.ts'
import { givenEnvironment } from './given.ts'
import { lineHead } from './helper-end.ts'
import { loadKoffi, type Bound } from './libc.ts'
import { realClock } from './real-clock.ts'
import type { HelperLine, Processes } from './system.ts'

/** Pipes of ours that no job may get. The other process opens its ends anew, and waits there. */
const O_CLOEXEC = 0o2000000
const O_NONBLOCK = 0o4000
const POLLIN = 1
/** It does little, and shall take little: 1 MB for what is new, and no threads of its own to tidy up. */
const nodeOptions = ['--disable-sigusr1', '--max-semi-space-size=1', '--v8-pool-size=0']

interface PipeCalls {
  readonly pipe2: Bound
  readonly poll: Bound
  readonly read: Bound
  readonly write: Bound
}

/**
 * Starts a program of ours (`sensors/gpu/nvml-helper`) in a process of its own, for calls that may never return. A thread would not
 * do: one that hangs inside the kernel cannot be killed, and a process is not over while one of its threads is there,
 * so that nobody would learn our exit code.
 */
export function startHelper(processes: Processes, program: string): Reading<HelperLine> {
  const calls = bindCalls()
  if (calls.kind !== 'ok') return calls
  const requests = makePipe(calls.value)
  if (requests === undefined) return noPipe
  const answers = makePipe(calls.value)
  if (answers === undefined) {
    closeSync(requests.from)
    closeSync(requests.to)
    return noPipe
  }
  let hasEnded = false
  const started = processes.spawn(
    {
      command: [process.execPath, ...nodeOptions, ourProgram(program)],
      environment: { ...givenEnvironment(), NODE_OPTIONS: undefined, NODE_V8_COVERAGE: undefined },
      workingDirectory: '/',
      group: 'own',
      // Opened by the child itself, before it becomes another program: until then it has all that we have open.
      stdin: `/proc/self/fd/${requests.from}`,
      stdout: `/proc/self/fd/${answers.to}`,
      stderr: '/dev/null',
    },
    { isHelper: true, reaped: () => (hasEnded = true) },
  )
  closeSync(requests.from)
  closeSync(answers.to)
  if (started.kind !== 'started') {
    closeSync(requests.to)
    closeSync(answers.from)
    return failed(started.message)
  }
  const end = (): void => {
    // The number may be another's by now.
    if (!hasEnded) processes.signal(started.pid, 'SIGKILL')
  }
  return ok(new PipeLine(calls.value, requests.to, answers.from, end))
}

/** From sources, from the library's files, or from the bundled program: the way is the same, but for how the file ends. */
export function ourProgram(program: string): string {
  const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  return `${import.meta.dirname}/../${program}.${ending}`
}

function bindCalls(): Reading<PipeCalls> {
  const koffi = loadKoffi()
  if (koffi.kind !== 'ok') return koffi
  const libc = koffi.value.load('libc.so.6')
  return ok({
    pipe2: libc.func('int pipe2(void *ends, int flags)'),
    poll: libc.func('int poll(void *descriptors, unsigned long count, int milliseconds)'),
    read: libc.func('long read(int descriptor, void *into, unsigned long size)'),
    write: libc.func('long write(int descriptor, const void *from, unsigned long size)'),
  })
}

const noPipe = failed('no pipe can be made: too many files are open')

function makePipe({
  pipe2,
}: PipeCalls): { readonly from: number; readonly to: number } | undefined {
  const ends = Buffer.alloc(8)
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) !== 0) return undefined
  return { from: ends.readInt32LE(0), to: ends.readInt32LE(4) }
}

/** By calls of its own rather than Node's: those take three times as long, and a look of the meter is held up by them. */
class PipeLine implements HelperLine {
  readonly #calls: PipeCalls
  readonly #to: number
  readonly #from: number
  readonly #end: () => void
  readonly #asked = Buffer.alloc(8)
  #bytes = Buffer.alloc(4096)
  /** Of the answer that is coming in. */
  #length = 0
  #isOpen = true

  constructor(calls: PipeCalls, to: number, from: number, end: () => void) {
    this.#calls = calls
    this.#to = to
    this.#from = from
    this.#end = end
    this.#asked.writeInt32LE(from, 0)
    this.#asked.writeInt16LE(POLLIN, 4)
  }

  /** A request is small, and there is one at a time: there is room for it. */
  send(request: Buffer): boolean {
    const { length } = request
    return this.#isOpen && this.#calls.write(this.#to, request, length) === length
  }

  receive(waitSeconds: number): Buffer | 'none yet' | 'ended' {
    let until = Number.NaN
    while (this.#isOpen) {
      const answer = this.#readSome()
      if (answer !== 'none yet') return answer
      // It is there already where it was asked for in time: then nothing else is called.
      const now = realClock.monotonicSeconds()
      if (Number.isNaN(until)) until = now + waitSeconds
      // A signal ends the call early.
      if (now >= until) return 'none yet'
      this.#waitFor(until - now)
    }
    return 'ended'
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    closeSync(this.#to)
    closeSync(this.#from)
  }

  kill(): void {
    this.#end()
    this.close()
  }

  /** The answer, if all of it has come. */
  #readSome(): Buffer | 'none yet' | 'ended' {
    for (;;) {
      const room = this.#bytes.subarray(this.#length)
      const read = this.#calls.read(this.#from, room, room.length) as number
      if (read === 0) return 'ended'
      if (read < 0) return 'none yet'
      this.#length += read
      const whole = this.#wholeLength()
      if (this.#length < whole) continue
      this.#length = 0
      return this.#bytes.subarray(lineHead, whole)
    }
  }

  #waitFor(seconds: number): void {
    this.#asked.writeInt16LE(0, 6)
    this.#calls.poll(this.#asked, 1, Math.ceil(seconds * 1000))
  }

  /** Of the answer with its head, for which there is room from now on. */
  #wholeLength(): number {
    if (this.#length < lineHead) return lineHead
    const whole = lineHead + this.#bytes.readUInt32LE(0)
    if (whole > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], whole)
    return whole
  }
}
