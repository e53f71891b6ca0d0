import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generator } from '../../../../test/synthetic/series.ts'
import { h200Card } from '../../../../test/gpu/replay.ts'
import { ok } from '../../../model/reading.ts'
import type { GpuSource } from '../../../sensors/gpu/gpu-card.ts'
import { fakeSystem } from '../../../system/fake.ts'
import { JobDevices } from '../../job-devices.ts'
import { JobGpus } from './job-gpus.ts'
import { WatchedCards } from './watched-cards.ts'

const noteSeconds = 0.2
const busyPercent = 98
const [idleWatts, workWatts] = [100, 500]

/**
 * A card that never rests while a process computes on it, as it was seen on an H200 with driver 580: five times a second the
 * driver notes for whom the card works, and tells what part of its notes since the last time name each. Notes of processes
 * that have ended are gone.
 */
class SlicedCard implements GpuSource {
  readonly name = 'NVML'
  readonly card = h200Card()
  readonly cards = [this.card]
  /** Who is on the card, and how likely a note names each. */
  readonly weights = new Map<number, number>()
  tellsPower = true
  readonly #random: () => number
  readonly #notes: { readonly at: number; readonly pid: number }[] = []
  #told: ReadonlyMap<number, number> = new Map()
  #askedAt = -Infinity
  #now = 0

  constructor(random: () => number) {
    this.#random = random
    this.card.memoryTotalBytes = 1000
    this.card.idlePowerWatts = idleWatts
  }

  run(until: number): void {
    for (let at = this.#now + noteSeconds; at <= until + 1e-9; at += noteSeconds) {
      this.#now = at
      const pid = this.#drawn()
      if (pid !== undefined) this.#notes.push({ at, pid })
    }
  }

  look(): void {
    const { card, weights } = this
    const isBusy = weights.size > 0
    card.utilizationPercent = isBusy ? busyPercent : 0
    card.powerWatts = isBusy ? idleWatts + workWatts : idleWatts
    if (!this.tellsPower) card.powerWatts = NaN
    card.processes.count = 0
    for (const pid of weights.keys()) {
      card.processes.add(pid, 10)
      card.processes.utilizationPercent[card.processes.place(pid)] = this.#told.get(pid) ?? 0
    }
  }

  lookAtShares(): boolean {
    const notes = this.#notes.filter(({ at, pid }) => at > this.#askedAt && this.weights.has(pid))
    this.#askedAt = this.#now
    const percentOf = (pid: number): number => {
      const named = notes.filter((note) => note.pid === pid).length
      return Math.floor((busyPercent * named) / notes.length || 0)
    }
    this.#told = new Map(Array.from(this.weights.keys(), (pid) => [pid, percentOf(pid)]))
    this.look()
    return true
  }

  /** What nobody can know better than the driver: how long it has worked for some. */
  workedFor(isMeant: (pid: number) => boolean): number {
    const named = this.#notes.filter(({ pid }) => isMeant(pid)).length
    return (named * noteSeconds * busyPercent) / 100
  }

  lookAtActivity(): void {}
  close(): void {}

  #drawn(): number | undefined {
    const all = [...this.weights.values()].reduce((sum, weight) => sum + weight, 0)
    let left = this.#random() * all
    for (const [pid, weight] of this.weights) if ((left -= weight) <= 0) return pid
    return undefined
  }
}

/** Jobs on a card, one or more, that are looked at. */
function onCard(seed: number, jobs: number) {
  const fake = fakeSystem({})
  // Processes of others are as good as those of the job: their pids are those that we have too.
  const readLink = () => ok('pid:[4026531836]')
  const system = { ...fake, files: { ...fake.files, readLink } }
  const card = new SlicedCard(generator(seed))
  const gpus = new WatchedCards(system, [card])
  const member = { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 }
  const followed = Array.from({ length: jobs }, () => {
    const byPid = new Map<number, typeof member>()
    const members = { byPid, totals: () => ({ userTicks: 0, systemTicks: 0 }) }
    const devices = new JobDevices(0, () => {})
    const job = new JobGpus({ system, members, devices }, gpus, '')
    return {
      job,
      start(pid: number, weight: number) {
        byPid.set(pid, member)
        card.weights.set(pid, weight)
      },
      end(pid: number) {
        byPid.delete(pid)
        card.weights.delete(pid)
      },
    }
  })
  let now = 0
  return {
    card,
    jobs: followed,
    pass(seconds: number): void {
      now += seconds
      fake.advance(seconds)
      card.run(now)
      for (const { job } of followed) job.look(now, 'row')
    },
    now: () => now,
    figures: () => followed.map(({ job }) => job.figures(now)),
  }
}

const pauses = fc.array(fc.double({ min: 0.3, max: 1.4, noNaN: true }), {
  minLength: 30,
  maxLength: 80,
})

describe('the work of jobs that share a card', () => {
  it('is what the notes of the driver say, however looks fall', () => {
    fc.assert(
      fc.property(pauses, fc.nat(), fc.integer({ min: 1, max: 9 }), (waits, seed, weight) => {
        const { card, jobs, pass, now, figures } = onCard(seed, 2)
        jobs[0]?.start(1, weight)
        jobs[1]?.start(2, 10 - weight)
        for (const seconds of waits) pass(seconds)
        const told = figures()
        const busy = told.map((figure) => figure['gpuBusySeconds']?.value ?? NaN)
        for (const pid of [1, 2]) {
          // Before it was asked for the first time and after the last one, the driver tells nothing.
          const off = Math.abs((busy[pid - 1] ?? NaN) - card.workedFor((each) => each === pid))
          expect(off).toBeLessThan(2.5)
          const { gpuUtilizationPercentMean: mean, gpuUtilizationPercentPeak: peak } =
            told[pid - 1] ?? {}
          expect(peak?.value).toBeGreaterThanOrEqual(mean?.value ?? NaN)
        }
        expect((busy[0] ?? NaN) + (busy[1] ?? NaN)).toBeCloseTo((now() * busyPercent) / 100, 0)
      }),
    )
  })

  it.each([1.5, 2, 3, 5])('is not lost where processes come and go every %d s', (everySeconds) => {
    let [told, worked] = [0, 0]
    for (let seed = 1; seed <= 10; seed++) {
      const { card, jobs, pass, now, figures } = onCard(seed, 2)
      const [coming, staying] = jobs
      staying?.start(1, 1)
      let [pid, startedAt] = [100, -Infinity]
      while (now() < 120) {
        if (now() - startedAt >= everySeconds) {
          coming?.end(pid)
          coming?.start(++pid, 1)
          startedAt = now()
        }
        pass(0.5)
      }
      told += figures()[0]?.['gpuBusySeconds']?.value ?? NaN
      worked += card.workedFor((each) => each >= 100)
    }
    expect(told / worked).toBeGreaterThan(0.9)
    expect(told / worked).toBeLessThan(1.1)
  })

  it('is told as presumed for as long as the driver said nothing true of it', () => {
    const { jobs, pass, figures } = onCard(7, 2)
    jobs[0]?.start(1, 1)
    jobs[1]?.start(2, 1)
    pass(0.5)
    jobs[1]?.end(2)
    jobs[1]?.start(3, 1)
    pass(1)
    expect(figures()[0]?.['gpuBusySeconds']).toMatchObject({
      basis: 'NVML, the share of its processes (1.5 s presumed), looks added up',
    })
  })

  it('keeps its energy where the card does not tell its power at some look', () => {
    const { card, jobs, pass, figures } = onCard(7, 2)
    jobs[0]?.start(1, 1)
    jobs[1]?.start(2, 1)
    for (let look = 0; look < 60; look++) {
      card.tellsPower = look !== 11
      pass(0.5)
    }
    const joules = figures().map((figure) => figure['gpuEnergyJoules'])
    const all = joules.reduce((sum, figure) => sum + (figure?.value ?? NaN), 0)
    expect(all).toBeCloseTo((idleWatts + workWatts) * 29.5, -2)
    expect(joules[0]).toMatchObject({ basis: expect.stringMatching(/^at least: /) })
  })

  it('is alone as well as shared', () => {
    const { jobs, pass, figures } = onCard(3, 2)
    jobs[0]?.start(1, 1)
    for (let look = 0; look < 10; look++) pass(1)
    jobs[1]?.start(2, 1)
    for (let look = 0; look < 100; look++) pass(0.5)
    const [first, second] = figures()
    expect(first?.['gpuUtilizationPercentPeak']?.value).toBe(busyPercent)
    expect(second?.['gpuUtilizationPercentPeak']?.value).toBeLessThan(busyPercent)
    expect(second?.['gpuUtilizationPercentPeak']?.value).toBeGreaterThan(50)
    expect(first?.['gpuSharedSeconds']?.value).toBeCloseTo(50, 0)
    expect(first?.['gpuHeldSeconds']?.value).toBeCloseTo(60, 0)
  })
})
