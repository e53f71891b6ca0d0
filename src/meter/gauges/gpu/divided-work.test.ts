import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generator } from '../../../../test/synthetic/series.ts'
import { throughNvml } from '../../../../test/gpu/made-line.ts'
import { h200Card } from '../../../../test/gpu/replay.ts'
import { ok } from '../../../model/reading.ts'
import type { GpuSource } from '../../../sensors/gpu/gpu-card.ts'
import { nvmlRequests } from '../../../sensors/gpu/nvml-answers.ts'
import { fakeSystem, type FakeSystem } from '../../../system/fake.ts'
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
  /** Whether it answers when it is asked for them. */
  tellsShares = true
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

  look(): boolean {
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
    return true
  }

  lookAtShares(): void {
    if (!this.tellsShares) return
    const notes = this.#notes.filter(({ at, pid }) => at > this.#askedAt && this.weights.has(pid))
    this.#askedAt = this.#now
    const percentOf = (pid: number): number => {
      const named = notes.filter((note) => note.pid === pid).length
      return Math.floor((busyPercent * named) / notes.length || 0)
    }
    this.#told = new Map(Array.from(this.weights.keys(), (pid) => [pid, percentOf(pid)]))
    this.look()
    this.card.processes.sharesAnswers += 1
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
  const card = new SlicedCard(generator(seed))
  return onCardOf(fakeSystem({}), card, card, jobs)
}

/** The same where the card is asked by a process of its own. */
async function onCardByNvml(seed: number, jobs: number) {
  const fake = fakeSystem({})
  const card = new SlicedCard(generator(seed))
  const { line, source } = await throughNvml(fake, card)
  return { line, ...onCardOf(fake, card, source, jobs) }
}

function onCardOf(fake: FakeSystem, card: SlicedCard, source: GpuSource, jobs: number) {
  // Processes of others are as good as those of the job: their pids are those that we have too.
  const readLink = () => ok('pid:[4026531836]')
  const system = { ...fake, files: { ...fake.files, readLink } }
  const gpus = new WatchedCards(system, [source])
  const member = { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 }
  let now = 0
  const follow = (environment = '') => {
    const byPid = new Map<number, typeof member>()
    const members = { byPid, totals: () => ({ userTicks: 0, systemTicks: 0 }) }
    const devices = new JobDevices(0, () => {})
    const job = new JobGpus({ system, members, devices }, gpus, environment)
    return {
      job,
      byPid,
      beganAt: now,
      start(pid: number, weight: number) {
        byPid.set(pid, member)
        card.weights.set(pid, weight)
      },
      end(pid: number) {
        byPid.delete(pid)
        card.weights.delete(pid)
      },
    }
  }
  const followed = Array.from({ length: jobs }, () => follow())
  return {
    card,
    jobs: followed,
    /** One more, which the card is given to. */
    give: () => followed.push(follow('CUDA_VISIBLE_DEVICES=0\0')),
    pass(seconds: number, looking: readonly { readonly job: JobGpus }[] = followed): void {
      now += seconds
      fake.advance(seconds)
      card.run(now)
      for (const each of followed)
        if (looking.includes(each)) each.job.look(now - each.beganAt, 'row')
    },
    now: () => now,
    figures: () => followed.map(({ job, beganAt }) => job.figures(now - beganAt)),
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
      basis: 'NVML, the share of its processes (for 1.5 s its share is assumed), looks added up',
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

  it('is known though nobody is on the card in the end', () => {
    const { card, jobs, pass, now, figures, give } = onCard(5, 2)
    jobs[0]?.start(1, 1)
    jobs[1]?.start(2, 1)
    for (let look = 0; look < 80; look++) pass(0.5)
    card.weights.clear()
    pass(1)
    give()
    jobs[2]?.byPid.set(3, { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 })
    pass(1)
    const [first, second, later] = figures()
    const exact = { basis: expect.not.stringMatching(/at least/) as string }
    for (const key of ['gpuBusySeconds', 'gpuUtilizationPercentMean'])
      for (const told of [first, second]) expect(told?.[key], key).toMatchObject(exact)
    expect(first?.['gpuBusySeconds']?.value).toBeCloseTo(
      card.workedFor((pid) => pid === 1),
      -1,
    )
    expect(now()).toBe(42)
    for (const key of ['gpuBusySeconds', 'gpuUtilizationPercentMean'])
      expect(later?.[key], key).toMatchObject({ value: 0 })
  })

  it('is known as well where the driver is slow to say whose it was', async () => {
    const { line, card, jobs, pass, figures } = await onCardByNvml(5, 2)
    line.lateRequest = nvmlRequests.shares
    jobs[0]?.start(1, 9)
    jobs[1]?.start(2, 1)
    for (let look = 0; look < 60; look++) pass(0.5)
    const [first] = figures()
    const worked = card.workedFor((pid) => pid === 1)
    expect(Math.abs((first?.['gpuBusySeconds']?.value ?? NaN) - worked)).toBeLessThan(2.5)
    expect(first?.['gpuBusySeconds']).toMatchObject({
      basis: expect.stringMatching(
        /, estimated from about 14\d samples of the driver, looks added up$/,
      ),
    })
  })

  it('is presumed in equal parts where the driver does not say it', () => {
    const { card, jobs, pass, figures } = onCard(5, 2)
    card.tellsShares = false
    jobs[0]?.start(1, 9)
    jobs[1]?.start(2, 1)
    for (let look = 0; look < 20; look++) pass(0.5)
    expect(figures()[1]?.['gpuBusySeconds']).toMatchObject({
      value: expect.closeTo((10 * busyPercent) / 100 / 2) as number,
      basis: 'NVML, the share of its processes (for 10 s its share is assumed), looks added up',
    })
  })

  it('is not settled by what is known of a part of the time, for a job that is looked at seldom', () => {
    const { card, jobs, pass, figures } = onCard(5, 2)
    jobs[0]?.start(1, 1)
    jobs[1]?.start(2, 9)
    let pid = 10
    for (let look = 0; look < 120; look++) {
      // Somebody comes now and then: shares are asked for more often.
      if (look % 8 === 0) jobs[0]?.start(++pid, 0.1)
      pass(0.5, look % 4 === 3 ? jobs : jobs.slice(0, 1))
    }
    const worked = card.workedFor((each) => each === 2)
    const busy = figures()[1]?.['gpuBusySeconds']
    // That is presumed, but not wrong by half.
    expect(Math.abs((busy?.value ?? NaN) - worked)).toBeLessThan(6)
    expect(busy).toMatchObject({ basis: expect.stringContaining(' s its share is assumed)') })
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
