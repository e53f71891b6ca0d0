import fc from 'fast-check'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { EndedProcesses } from './ended-processes.ts'
import type { ExitRecord } from './exit-record.ts'
import { SeenProcess } from './seen-process.ts'

const bootedAt = 1_000_000
const ticksPerSecond = 100

/** A process that began so many seconds after the boot and was seen in so many rounds. */
function seen(pid: number, startSeconds: number, looks = 2): SeenProcess {
  const process = new SeenProcess(pid, startSeconds * ticksPerSecond)
  process.looks = looks
  return process
}

const record = (pid: number, processId: number, some: Partial<ExitRecord> = {}): ExitRecord => ({
  pid,
  processId,
  parentPid: 1,
  uid: 1000,
  command: pid === processId ? 'server' : 'worker',
  cpuSeconds: 1,
  readBytes: 0,
  writeBytes: 0,
  startedAt: bootedAt + 10,
  ...some,
})

function rounds() {
  let waiting: ExitRecord[] = []
  const exits = {
    drain: () => {
      const records = waiting
      waiting = []
      return { records, lost: 0 }
    },
    close: () => undefined,
  }
  const processes = new EndedProcesses(exits, ticksPerSecond)
  const round = (living: readonly SeenProcess[], ended: readonly SeenProcess[] = []) =>
    processes.settle(
      { living: new Map(living.map((process) => [process.pid, process])), ended: [...ended] },
      bootedAt,
    )
  return { round, tell: (...records: ExitRecord[]) => void waiting.push(...records) }
}

/** What was told of the ends of processes, by pid. */
const ends = ({ settled }: ReturnType<EndedProcesses['settle']>) =>
  [...settled.ended.keys()].map(({ pid, record: told }) => ({
    pid,
    command: told?.command,
    cpuSeconds: told?.cpuSeconds,
  }))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('ends of threads', () => {
  it('are summed up, and not kept one by one, while their process lives', async () => {
    const server = seen(7, 10)
    const { round, tell } = rounds()
    const records = Array.from({ length: 100 }, (_, at) => {
      const one = record(100 + at, 7)
      tell(one)
      return new WeakRef(one)
    })
    round([server])
    round([server])
    // What a weak reference points to stays for the rest of the turn.
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    expect(records.filter((one) => one.deref() !== undefined)).toEqual([])
    expect(ends(round([], [server]))).toMatchObject([{ pid: 7, cpuSeconds: 100 }])
  })

  it('are told with the end of their process, in whichever rounds they came', () => {
    const cpu = fc.integer({ min: 1, max: 1000 })
    fc.assert(
      fc.property(fc.array(fc.array(cpu)), fc.array(cpu), cpu, (earlier, last, own) => {
        const server = seen(7, 10)
        const { round, tell } = rounds()
        for (const cpus of earlier) {
          tell(...cpus.map((cpuSeconds) => record(8, 7, { cpuSeconds })))
          expect(ends(round([server]))).toEqual([])
        }
        tell(...last.map((cpuSeconds) => record(8, 7, { cpuSeconds })))
        tell(record(7, 7, { cpuSeconds: own }))
        const cpuSeconds = [...earlier.flat(), ...last, own].reduce((sum, one) => sum + one, 0)
        const told = ends(round([], [server]))
        expect(told).toEqual([{ pid: 7, command: 'server', cpuSeconds }])
      }),
    )
  })

  it('are of the process that had the pid before, where they began before the one that has it now', () => {
    const { round, tell } = rounds()
    const [before, now] = [seen(7, 10), seen(7, 500, 1)]
    round([before])
    tell(record(8, 7), record(7, 7))
    tell(record(9, 7, { startedAt: bootedAt + 501, cpuSeconds: 5 }))
    expect(ends(round([now], [before]))).toMatchObject([{ pid: 7, cpuSeconds: 2 }])
    expect(ends(round([], [now]))).toMatchObject([{ pid: 7, cpuSeconds: 5 }])
  })
})

describe('the end of a process', () => {
  it('waits for as long as it can still be seen, as a zombie', () => {
    const { round, tell } = rounds()
    const zombie = seen(7, 10)
    tell(record(7, 7, { cpuSeconds: 3 }))
    expect(ends(round([zombie]))).toEqual([])
    expect(ends(round([zombie]))).toEqual([])
    expect(ends(round([], [zombie]))).toMatchObject([{ pid: 7, cpuSeconds: 3 }])
  })

  it('waits, and so does that of a thread, though the clock has been set meanwhile', () => {
    const { round, tell } = rounds()
    tell(record(8, 7, { startedAt: bootedAt - 3600 }), record(7, 7, { startedAt: bootedAt + 3600 }))
    expect(ends(round([seen(7, 500)]))).toEqual([])
  })

  it('is told at once where another has its pid by now', () => {
    const { round, tell } = rounds()
    tell(record(7, 7))
    expect(ends(round([seen(7, 500, 1)]))).toMatchObject([{ pid: 7, cpuSeconds: 1 }])
  })
})
