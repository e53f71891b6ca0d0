import { describe, expect, it } from 'vitest'
import { figuresByNvml } from '../../../../test/gpu/made-card.ts'
import { throughNvml } from '../../../../test/gpu/made-line.ts'
import { h200Card } from '../../../../test/gpu/replay.ts'
import type { GpuSource } from '../../../sensors/gpu/gpu-card.ts'
import { nvmlRequests } from '../../../sensors/gpu/nvml-answers.ts'
import { fakeSystem } from '../../../system/fake.ts'
import { JobDevices } from '../../job-devices.ts'
import { JobGpus } from './job-gpus.ts'
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
    const member = { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 }
    const members = {
      byPid: new Map([[7, member]]),
      totals: () => ({ userTicks: 0, systemTicks: 0 }),
    }
    const devices = new JobDevices(0, () => {})
    const job = new JobGpus({ system: machine, members, devices }, watched, '')
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
