import { describe, expect, it } from 'vitest'
import { figuresByNvml, times, type Said } from '../../../../test/gpu/made-card.ts'
import { throughNvml } from '../../../../test/gpu/made-line.ts'
import { h200Card } from '../../../../test/gpu/replay.ts'
import type { GpuSource } from '../../../sensors/gpu/gpu-card.ts'
import { nvmlRequests } from '../../../sensors/gpu/nvml-answers.ts'
import { fakeSystem } from '../../../system/fake.ts'
import { JobDevices } from '../../job-devices.ts'
import { JobGpus, type CardUser } from './job-gpus.ts'
import { WatchedCards } from './watched-cards.ts'

describe('an energy counter whose last answer is late', () => {
  const looks = Array.from({ length: 19 }, (_, second) => ({
    util: 80,
    watts: 400,
    ownBytes: 10,
    joules: 5000 + (second + 1) * 400,
  }))
  const [last] = looks.slice(-1)

  it('is made up for by power at the looks', async () => {
    const figures = await figuresByNvml(...looks.slice(0, -1), { ...last, isLate: true })
    // For a tenth of a second the answer was waited for.
    for (const key of ['gpuEnergyJoules', 'gpu0EnergyJoules'])
      expect(figures[key]?.value, key).toBeCloseTo(19.1 * 400)
    expect(figures['gpu0PowerWattsMean']?.value).toBeCloseTo(400)
  })

  it.each([2, 5, 9, 10, 11, 12, 17, 18, 19])(
    'loses nothing where that of the look at %d s is',
    async (at) => {
      const said = looks.map((look, second) => ({ ...look, isLate: second + 1 === at }))
      const figures = await figuresByNvml(...said)
      expect(figures['gpu0EnergyJoules']?.value).toBeCloseTo((at === 19 ? 19.1 : 19) * 400)
    },
  )
})

/** The processes of a job: this one. */
const membersOf = (pid: number): CardUser['members'] => ({
  byPid: new Map([[pid, { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 }]]),
  totals: () => ({ userTicks: 0, systemTicks: 0 }),
})

describe('a card that stops answering between its recognition and its first look', () => {
  const late: Said = { isLate: true }
  const busy: Said = { util: 90, watts: 400, ownBytes: 10 }

  it('did nothing that is known of, where it never answers', async () => {
    for (const looks of [1, 2, 4]) {
      const figures = await figuresByNvml(...times(looks, late))
      const told = Object.entries(figures).filter(([, { value }]) => value !== null)
      expect(told).toEqual([
        ['gpuCards', { value: 1, basis: 'given by its environment, or used by its processes' }],
      ])
      expect(figures['gpuUtilizationPercentMean']).toMatchObject({
        why: expect.stringMatching(
          /^card 0 could not be read after 0\.0 s: the GPU driver (did not answer for \d\.\d s|had not answered yet)$/,
        ) as string,
      })
    }
  })

  it('is known from its first answer on', async () => {
    const figures = await figuresByNvml(...times(2, late), ...times(6, busy))
    expect(figures['gpuUtilizationPercentMean']?.value).toBeCloseTo(90)
    expect(figures['gpuUtilizationPercentMean']).toMatchObject({
      basis: expect.stringMatching(
        /^(?!at least).*; card 0 was read for 6\.0 of 8\.0 s: it could not be read for 2\.0 s: the GPU driver /,
      ) as string,
    })
    expect(figures['gpuBusySeconds']).toMatchObject({
      basis: expect.stringMatching(/^at least: /) as string,
    })
    expect(figures['gpuCardsUntouched']?.value).toBe(0)
  })

  it('is not said to have been unused for as long', async () => {
    const figures = await figuresByNvml(late, ...times(3, { util: 0, watts: 70 }))
    expect(figures['gpuCardsUntouched']).toMatchObject({
      why: 'card 0 could not be read all the time: the GPU driver had not answered yet',
    })
  })

  it('has no rows until it answers', async () => {
    const { machine, line, watched } = await cardWith(7)
    let rows = 0
    const devices = new JobDevices(0, (kept) => {
      for (const { count } of kept) rows += count
    })
    const user = { system: machine, members: membersOf(7), devices }
    const job = new JobGpus(user, watched, 'CUDA_VISIBLE_DEVICES=0\0')
    for (const isLate of [true, true, false, true]) {
      line.isLate = isLate
      machine.advance(1)
      job.look(machine.clock.monotonicSeconds(), 'row')
    }
    devices.handOn()
    expect(rows).toBe(2)
  })

  it('may have been used, where nothing says which cards are the job’s', async () => {
    const { machine, line, watched } = await cardWith(7)
    line.isLate = true
    const user = { system: machine, members: membersOf(7), devices: new JobDevices(0, () => {}) }
    const job = new JobGpus(user, watched, '')
    machine.advance(2)
    job.look(2, 'row')
    expect(job.figures(2)['gpuCards']).toMatchObject({
      why: expect.stringMatching(
        /^card 0 could not be read after 0\.0 s: the GPU driver /,
      ) as string,
    })
  })
})

/** A card with these processes on it, which answers all that it is asked. */
async function cardWith(...pids: number[]) {
  const machine = fakeSystem()
  const inside = h200Card()
  const asked: string[] = []
  const driver: GpuSource = {
    name: 'NVML',
    cards: [inside],
    look() {
      inside.utilizationPercent = 80
      inside.processes.count = 0
      for (const pid of pids) inside.processes.add(pid, 10)
      return true
    },
    lookAtActivity() {
      asked.push('activity')
      Object.assign(inside.activity, { smActivePercent: 50, seconds: 2 })
      inside.activityLoss = null
      inside.activity.readings += 1
    },
    lookAtShares() {
      asked.push('shares')
      inside.processes.sharesAnswers += 1
    },
    close: () => {},
  }
  const { line, source } = await throughNvml(machine, driver)
  const watched = new WatchedCards(machine, [source])
  const [card = h200Card()] = watched.cards
  return { machine, line, watched, card, inside, asked, others: pids }
}

describe('shares that are told late', () => {
  it('divide what the card did until they came, and not what the shares before were asked for', async () => {
    const { machine, line, watched, card, asked } = await cardWith(1, 2)
    watched.look()
    watched.needShares(card)
    const first = watched.sharesOf(card)?.division
    line.lateRequest = nvmlRequests.shares
    machine.advance(2)
    watched.look()
    watched.needShares(card)
    expect(watched.sharesOf(card)?.division).toBe(first)
    machine.advance(1)
    watched.look()
    expect(watched.sharesOf(card)?.division.seconds).toBeCloseTo(3.1)
    expect(asked).toEqual(['shares', 'shares'])
  })
})

describe('a list of processes that is as it was', () => {
  /** A job of process 7 in a container, beside others. */
  const followed = async (...others: number[]) => {
    const made = await cardWith(...others)
    const { machine, watched } = made
    machine.tree.set('/proc/self/ns/pid', 'pid:[4026532000]')
    const devices = new JobDevices(0, () => {})
    const job = new JobGpus({ system: machine, members: membersOf(7), devices }, watched, '')
    let now = 0
    const look = (): void => {
      machine.advance(1)
      job.look(++now, 'row')
    }
    return { ...made, job, look, figures: () => job.figures(now) }
  }

  it('does not make one a process of the host that has just ended', async () => {
    const { line, look, figures, others } = await followed(99)
    look()
    // It has ended, but the driver does not say so yet.
    others.length = 0
    line.isLate = true
    look()
    line.isLate = false
    look()
    look()
    expect(figures()['gpuCards']).toEqual({ value: 0, basis: 'used by its processes' })
  })

  it('does not keep processes of the host from being found', async () => {
    const { line, look, figures } = await followed(99)
    for (const isLate of [false, true, false]) {
      line.isLate = isLate
      look()
    }
    expect(figures()['gpuCards']).toEqual({ value: 1, basis: 'all cards that it could see' })
  })
})

describe('what units did that is told late', () => {
  it('counts once', async () => {
    const { machine, line, watched, card, inside } = await cardWith(7)
    watched.look()
    watched.want(card)
    line.lateRequest = nvmlRequests.activity
    const seen: number[] = []
    for (let second = 0; second < 6; second++) {
      machine.advance(1)
      watched.look()
      seen.push(card.activity.readings)
    }
    expect(seen).toEqual([1, 1, 2, 2, 3, 3])
    expect(inside.activity.readings).toBe(3)
  })
})
