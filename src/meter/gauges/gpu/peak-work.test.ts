import { describe, expect, it } from 'vitest'
import { h200Card } from '../../../../test/gpu/replay.ts'
import { ok } from '../../../model/reading.ts'
import type { GpuSource } from '../../../sensors/gpu/gpu-card.ts'
import { fakeSystem } from '../../../system/fake.ts'
import { JobDevices } from '../../job-devices.ts'
import type { Figures } from '../../../../test/gpu/made-card.ts'
import { JobGpus } from './job-gpus.ts'
import { WatchedCards } from './watched-cards.ts'

const [ownPid, otherPid] = [7, 8]

/** How much two cards work for the job and for others at a moment. Others hold the first one all the time. */
type Work = (now: number) => readonly [own: number, others: number, ownOfSecond: number]

/** Two cards of a job: the driver tells whom the first one worked for since it was last asked. */
class TwoCards implements GpuSource {
  readonly name = 'NVML'
  readonly shared = h200Card()
  readonly alone = h200Card()
  readonly cards = [this.shared, this.alone]
  readonly #work: Work
  #now = 0
  #since = { own: 0, others: 0 }
  #told = { own: 0, others: 0 }

  constructor(work: Work) {
    this.#work = work
  }

  pass(seconds: number): void {
    const [own, others] = this.#work(this.#now)
    this.#since.own += own * seconds
    this.#since.others += others * seconds
    this.#now += seconds
  }

  look(): boolean {
    // What was just done, not what comes next.
    const [own, others, ownOfSecond] = this.#work(this.#now - 0.01)
    this.shared.utilizationPercent = own + others
    this.alone.utilizationPercent = ownOfSecond
    for (const card of this.cards) {
      card.powerWatts = 100
      card.processes.count = 0
      card.processes.add(ownPid, 10)
    }
    const { processes } = this.shared
    processes.add(otherPid, 10)
    processes.utilizationPercent[processes.place(ownPid)] = this.#told.own
    processes.utilizationPercent[processes.place(otherPid)] = this.#told.others
    return true
  }

  lookAtShares(): void {
    this.#told = this.#since
    this.#since = { own: 0, others: 0 }
    this.look()
    this.shared.processes.sharesAnswers += 1
  }

  lookAtActivity(): void {}
  close(): void {}
}

function figuresOf(work: Work): Figures {
  const fake = fakeSystem({})
  const readLink = () => ok('pid:[4026531836]')
  const system = { ...fake, files: { ...fake.files, readLink } }
  const source = new TwoCards(work)
  const members = {
    byPid: new Map([[ownPid, { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 }]]),
    totals: () => ({ userTicks: 0, systemTicks: 0 }),
  }
  const devices = new JobDevices(0, () => {})
  const job = new JobGpus({ system, members, devices }, new WatchedCards(system, [source]), '')
  for (let look = 1; look <= 120; look++) {
    fake.advance(0.5)
    source.pass(0.5)
    job.look(look / 2, 'row')
  }
  return job.figures(60)
}

describe('the most that several cards worked for a job at once, one of them shared', () => {
  it.each([0.5, 1.5, 3, 5])('does not add up what they did in turns of %d s', (seconds) => {
    const isFirst = (now: number): boolean => Math.floor(now / seconds) % 2 === 0
    // While others do something, the driver tells shares.
    for (const others of [0, 8, 90]) {
      const figures = figuresOf((now) => (isFirst(now) ? [90, 0, 0] : [0, others, 90]))
      const peak = figures['gpuUtilizationPercentPeak']?.value
      // What is assumed of a part of the time makes the mean a little more.
      expect(peak).toBeGreaterThan(44.9)
      expect(peak).toBeLessThan(46)
    }
  })

  it('adds up what they did at the same time', () => {
    const figures = figuresOf((now) => (now > 20 && now < 40 ? [60, 30, 90] : [20, 60, 10]))
    expect(figures['gpuUtilizationPercentPeak']?.value).toBeCloseTo((60 + 90) / 2)
    expect(figures['gpuUtilizationPercentMean']?.value).toBeCloseTo((75 * 20 + 15 * 40) / 60, 0)
  })
})
