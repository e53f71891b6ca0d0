import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { JobGpus } from '../../src/meter/gauges/gpu/job-gpus.ts'
import { WatchedCards } from '../../src/meter/gauges/gpu/watched-cards.ts'
import { JobDevices } from '../../src/meter/job-devices.ts'
import type { GpuSource } from '../../src/sensors/gpu/gpu-card.ts'
import { fakeSystem } from '../../src/system/fake.ts'
import { h200Card } from './replay.ts'

type At<T> = readonly [seconds: number, told: T]

/** What was asked of an H200 while several processes computed on it, and how much each counted that it had done. */
interface SharedCard {
  readonly name: string
  /** By process. */
  readonly work: readonly number[]
  readonly seconds: number
  readonly utilization: readonly At<number>[]
  /** To `nvmlDeviceGetProcessUtilization`, asked every two seconds for what is new: process, time of its last note, percent. */
  readonly answers: readonly At<
    readonly (readonly [process: number, at: number, percent: number])[]
  >[]
}

const fixture = join(import.meta.dirname, '../fixtures/gpu/h200-shares.json')
const captured = JSON.parse(readFileSync(fixture, 'utf8')) as readonly SharedCard[]

class ReplayedShares implements GpuSource {
  readonly name = 'NVML'
  readonly card = h200Card()
  readonly cards = [this.card]
  now = 0
  readonly #shared: SharedCard

  constructor(shared: SharedCard) {
    this.#shared = shared
    this.card.memoryTotalBytes = 1000
  }

  look(): boolean {
    const { card } = this
    const told = this.#shared.utilization.findLast(([at]) => at <= this.now)
    card.utilizationPercent = told?.[1] ?? 0
    card.processes.count = 0
    for (const at of this.#shared.work.keys()) card.processes.add(at + 1, 10)
    return true
  }

  lookAtShares(): void {
    const { pids, utilizationPercent } = this.card.processes
    const answer = this.#shared.answers.findLast(([at]) => at <= this.now)?.[1] ?? []
    for (const [place, pid] of pids.entries())
      utilizationPercent[place] = answer.find(([process]) => process === pid)?.[2] ?? 0
    this.card.processes.sharesAnswers += 1
  }

  lookAtActivity(): void {}
  close(): void {}
}

/** Of the work that was done on the card, the part that each process is told to have done. */
function toldParts(shared: SharedCard): readonly number[] {
  const system = fakeSystem({})
  const source = new ReplayedShares(shared)
  const gpus = new WatchedCards(system, [source])
  const jobs = shared.work.map((_, at) => {
    const member = { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 }
    const members = {
      byPid: new Map([[at + 1, member]]),
      totals: () => ({ userTicks: 0, systemTicks: 0 }),
    }
    return new JobGpus({ system, members, devices: new JobDevices(0, () => {}) }, gpus, '')
  })
  for (const [at] of shared.answers) {
    // Once in between, as looks come every second.
    for (const moment of [at - 1, at]) {
      system.advance(moment - source.now)
      source.now = moment
      for (const job of jobs) job.look(moment, 'row')
    }
  }
  const busy = jobs.map((job) => job.figures(source.now)['gpuBusySeconds']?.value ?? NaN)
  const all = busy.reduce((sum, seconds) => sum + seconds, 0)
  return busy.map((seconds) => seconds / all)
}

describe('processes that shared an H200', () => {
  it.each(captured)(
    'did what they counted, as far as notes of the driver tell it: $name',
    (shared) => {
      const done = shared.work.reduce((sum, work) => sum + work, 0)
      for (const [at, part] of toldParts(shared).entries()) {
        const counted = (shared.work[at] ?? NaN) / done
        const standardError = Math.sqrt((counted * (1 - counted)) / (5 * shared.seconds))
        expect(Math.abs(part - counted)).toBeLessThan(2.5 * standardError)
      }
    },
  )
})
