import { describe, expect, it } from 'vitest'
import { a380, b580, cometLake, phoenix, rx6900xt } from '../../../../test/fixtures/gpu/trees.ts'
import { energyIsOfPackage } from '../../../model/gpu-usage.ts'
import { DrmCards } from '../../../sensors/gpu/drm-cards.ts'
import { fakeSystem, type FakeSystem } from '../../../system/fake.ts'
import { JobDevices } from '../../job-devices.ts'
import { JobGpus } from './job-gpus.ts'
import { WatchedCards } from './watched-cards.ts'

const device = '/sys/class/drm/card0/device'

/** A machine with cards of one vendor; jobs on it are looked at together. */
class Bench {
  readonly system: FakeSystem
  readonly #cards: WatchedCards
  readonly #jobs: { readonly job: JobGpus; readonly begunAt: number }[] = []
  #seconds = 0

  constructor(files: Readonly<Record<string, string>>, vendor: 'amd' | 'intel') {
    this.system = fakeSystem({ files: { ...files } })
    const source = DrmCards.open(this.system, vendor)
    if (source.kind !== 'ok') throw new Error('no cards')
    this.#cards = new WatchedCards(this.system, [source.value])
  }

  get cards() {
    return this.#cards.cards
  }

  /** `begunAt`: by the seconds that have passed here. */
  job(pids: Iterable<number>, environment = '', begunAt = 0) {
    const byPid = new Map(
      [...pids].map((pid) => [
        pid,
        { startTicks: 0, userTicks: 1, systemTicks: 1, minorFaults: 80 },
      ]),
    )
    const members = { byPid, totals: () => ({ userTicks: 0, systemTicks: 0 }) }
    const { system } = this
    const devices = new JobDevices(0, () => {})
    const job = new JobGpus({ system, members, devices }, this.#cards, environment)
    this.#jobs.push({ job, begunAt })
    return { byPid, figures: () => job.figures(this.#seconds - begunAt) }
  }

  /** A process has done so much on a card through one open file. */
  tell(pid: number, facts: Readonly<Record<string, string>>): void {
    const lines = Object.entries({ driver: 'x', 'client-id': `${pid}`, ...facts })
    this.system.tree.set(`/proc/${pid}/fd/5`, '/dev/dri/renderD128')
    this.system.tree.set(
      `/proc/${pid}/fdinfo/5`,
      lines.map(([name, fact]) => `drm-${name}:\t${fact}\n`).join(''),
    )
  }

  pass(seconds: number): void {
    this.system.advance(seconds)
    this.#seconds += seconds
    for (const { job, begunAt } of this.#jobs) job.look(this.#seconds - begunAt, 'row')
  }
}

describe('what a driver does not tell', () => {
  it('is no 0 bytes of a card that shares the memory of the machine', () => {
    const bench = new Bench(cometLake, 'intel')
    const job = bench.job([7])
    const worked = (seconds: number): void =>
      bench.tell(7, { pdev: '0000:00:02.0', 'engine-render': `${seconds * 1e9} ns` })
    worked(1)
    bench.pass(1)
    worked(1.5)
    bench.pass(1)
    const figures = job.figures()
    const why =
      'its driver tells no memory of its own: it shares that of the machine, or is too old'
    expect(figures['gpuMemoryPeakBytes']).toEqual({ value: null, why })
    expect(figures['gpu0OwnMemoryPeakBytes']).toEqual({ value: null, why })
    expect(figures['gpuUtilizationPercentPeak']?.value).toBeCloseTo(50)
  })

  it('makes memory a lower bound where other processes are told', () => {
    const bench = new Bench({ ...a380, ...cometLake }, 'intel')
    const job = bench.job([7, 8])
    bench.tell(7, { pdev: '0000:00:02.0', 'engine-render': '5 ns' })
    bench.tell(8, { pdev: '0000:0b:00.0', 'resident-local0': '16 MiB' })
    bench.pass(1)
    expect(job.figures()['gpuMemoryPeakBytes']).toMatchObject({
      value: 16 * 2 ** 20,
      basis: expect.stringMatching(/^at least: .*its driver tells no memory of its own/),
    })
  })

  it('is no use of 0, and no time of 0', () => {
    const bench = new Bench({ ...rx6900xt, [`${device}/gpu_busy_percent`]: '' }, 'amd')
    const job = bench.job([7])
    bench.tell(7, { pdev: '0000:0b:00.0', 'memory-vram': '76 KiB' })
    bench.system.tree.set('/proc/7/fd/4', '/dev/kfd')
    bench.pass(1)
    bench.pass(1)
    const figures = job.figures()
    for (const key of ['gpuUtilizationPercentMean', 'gpuUtilizationPercentPeak', 'gpuBusySeconds'])
      expect(figures[key]?.value, key).toBeNull()
    expect(figures['gpu0BusySeconds']?.value).toBeNull()
    expect(figures['gpuHeldSeconds']?.value).toBe(2)
  })

  it('is 0 of a card that was given to a job and that it never used', () => {
    const bench = new Bench(rx6900xt, 'amd')
    const job = bench.job([7], 'ROCR_VISIBLE_DEVICES=0\0')
    bench.pass(1)
    const figures = job.figures()
    for (const key of ['gpuMemoryPeakBytes', 'gpuBusySeconds', 'gpuUtilizationPercentPeak'])
      expect(figures[key]?.value, key).toBe(0)
  })
})

describe('the work of a process', () => {
  it('counts also where the driver, asked at one moment, calls the card idle', () => {
    const bench = new Bench({ ...rx6900xt, [`${device}/gpu_busy_percent`]: '0\n' }, 'amd')
    const job = bench.job([7])
    for (const seconds of [1, 1.5, 2]) {
      bench.tell(7, { pdev: '0000:0b:00.0', 'engine-dec': `${seconds * 1e9} ns` })
      bench.pass(1)
    }
    expect(job.figures()['gpuBusySeconds']?.value).toBeCloseTo(1)
  })

  it.each([10, 12])('counts from when it opened the card, unseen for ten of %d s', (seconds) => {
    const bench = new Bench(rx6900xt, 'amd')
    const job = bench.job([7])
    bench.system.tree.set('/proc/7/fd/0', '/dev/null')
    bench.pass(1)
    bench.system.tree.delete('/proc/7/fd/0')
    for (let second = 1; second <= seconds; second++) {
      bench.tell(7, { pdev: '0000:0b:00.0', 'engine-gfx': `${second * 2e8} ns` })
      job.byPid.set(7, { startTicks: 0, userTicks: 1 + second, systemTicks: 1, minorFaults: 80 })
      bench.pass(1)
    }
    const figures = job.figures()
    expect(figures['gpuUtilizationPercentPeak']?.value).toBeCloseTo(20)
    expect(figures['gpuBusySeconds']?.value).toBeCloseTo(seconds / 5)
  })

  it('counts also where each process is seen at one look alone', () => {
    const bench = new Bench(rx6900xt, 'amd')
    const job = bench.job([1])
    bench.pass(1)
    for (let pid = 101; pid <= 120; pid++) {
      job.byPid.delete(pid - 1)
      const startTicks = 100 * bench.system.clock.bootSeconds() + 5
      job.byPid.set(pid, { startTicks, userTicks: 1, systemTicks: 1, minorFaults: 80 })
      bench.tell(pid, { pdev: '0000:0b:00.0', 'engine-gfx': '900000000 ns' })
      bench.pass(1)
    }
    const figures = job.figures()
    expect(figures['gpuBusySeconds']?.value).toBeCloseTo(18)
    expect(figures['gpuBusySeconds']).toMatchObject({
      basis: expect.not.stringMatching(/at least/),
    })
    expect(figures['gpuUtilizationPercentMean']?.value).toBeCloseTo((100 * 18) / 21)
    expect(figures['gpuHeldSeconds']?.value).toBe(20)
  })

  describe('that had worked before it was first asked', () => {
    const why = 'a process had worked on the card before it was first asked'

    /** It works half of the time. */
    const after = (seconds: number) => {
      const bench = new Bench(rx6900xt, 'amd')
      const job = bench.job([7])
      for (let second = 0; second < seconds; second++) {
        bench.tell(7, { pdev: '0000:0b:00.0', 'engine-gfx': `${(10 + second) * 5e8} ns` })
        bench.pass(1)
      }
      return job.figures()
    }

    it('is not told of the time until then', () => {
      const figures = after(1)
      for (const key of ['gpuBusySeconds', 'gpuUtilizationPercentMean'])
        expect(figures[key], key).toEqual({ value: null, why })
    })

    it('is a lower bound from then on', () => {
      const figures = after(2)
      const basis = expect.stringMatching(new RegExp(`^at least: .*; ${why}$`)) as string
      expect(figures['gpuBusySeconds']).toEqual({ value: expect.closeTo(0.5) as number, basis })
      expect(figures['gpuUtilizationPercentMean']).toEqual({
        value: expect.closeTo(25) as number,
        basis,
      })
    })
  })

  it('is told in full of a job that begins between two looks at the card', () => {
    const bench = new Bench(rx6900xt, 'amd')
    bench.job([1])
    bench.pass(1)
    bench.system.advance(0.5)
    const startTicks = 100 * bench.system.clock.bootSeconds()
    const job = bench.job([7], '', 1)
    job.byPid.set(7, { startTicks, userTicks: 1, systemTicks: 1, minorFaults: 80 })
    bench.tell(7, { pdev: '0000:0b:00.0', 'engine-gfx': '400000000 ns' })
    bench.pass(0.5)
    const figures = job.figures()
    expect(figures['gpuBusySeconds']?.value).toBeCloseTo(0.4)
    expect(figures['gpuUtilizationPercentPeak']?.value).toBeCloseTo(80)
  })

  it('is not taken for that of a process of the host when it ends in a container', () => {
    const bench = new Bench(rx6900xt, 'amd')
    bench.system.tree.set('/proc/self/ns/pid', 'pid:[4026532000]')
    const [one, other] = [bench.job([7]), bench.job([8])]
    bench.tell(7, { pdev: '0000:0b:00.0', 'engine-gfx': '1 ns' })
    bench.pass(1)
    expect(other.figures()['gpuCards']).toEqual({ value: 0, basis: 'used by its processes' })
    expect(one.figures()['gpuCards']?.value).toBe(1)
  })
})

describe('a card that sleeps', () => {
  const status = `${device}/power/runtime_status`
  const given = 'ROCR_VISIBLE_DEVICES=0\0'

  it('is idle, and what it does not tell has that for a reason', () => {
    const bench = new Bench({ ...rx6900xt, [status]: 'suspended\n' }, 'amd')
    const job = bench.job([7], given)
    for (let second = 0; second < 3; second++) bench.pass(1)
    const figures = job.figures()
    expect(figures['gpu0UtilizationPercentMean']).toMatchObject({
      value: 0,
      basis: expect.stringMatching(/; asleep for 3 s, and not woken to be read$/),
    })
    const why = 'asleep for 3 s, and not woken to be read'
    for (const key of ['PowerWattsMean', 'EnergyJoules', 'TemperaturePeakCelsius'])
      expect(figures[`gpu0${key}`], key).toEqual({ value: null, why })
    expect(figures['gpu0MemoryUsedPeakBytes']).toEqual({ value: null, why })
    expect(figures['gpuEnergyJoules']).toEqual({ value: null, why: `card 0: ${why}` })
    expect(figures['gpuUtilizationPercentMean']?.value).toBe(0)
  })

  it('drew at least what it drew while it was awake', () => {
    const bench = new Bench({ ...rx6900xt, [status]: 'active\n' }, 'amd')
    const job = bench.job([7], given)
    bench.pass(1)
    bench.pass(1)
    bench.system.tree.set(status, 'suspended\n')
    bench.pass(1)
    bench.pass(1)
    const figures = job.figures()
    for (const key of ['gpuEnergyJoules', 'gpu0EnergyJoules'])
      expect(figures[key], key).toMatchObject({
        value: 72,
        basis: expect.stringMatching(/^at least: .*asleep for 2 s/),
      })
    expect(figures['gpu0PowerWattsPeak']).toMatchObject({ value: 36 })
    expect(figures['gpu0UtilizationPercentMean']?.value).toBeCloseTo(1.5)
  })

  it('did not draw while it slept what it drew when it woke', () => {
    const intelStatus = '/sys/class/drm/card1/device/power/runtime_status'
    const counter = Object.keys(b580).find((path) => path.endsWith('energy1_input')) ?? ''
    const bench = new Bench({ ...b580, [intelStatus]: 'suspended\n' }, 'intel')
    const job = bench.job([7])
    for (let second = 0; second < 30; second++) bench.pass(1)
    bench.system.tree.set(intelStatus, 'active\n')
    let joules = 16_000
    bench.tell(7, { pdev: '0000:0b:00.0', 'engine-ccs': '5 ns' })
    job.byPid.set(7, { startTicks: 0, userTicks: 2, systemTicks: 1, minorFaults: 80 })
    for (let second = 0; second < 4; second++) {
      joules += 100
      bench.system.tree.set(counter, `${joules * 1e6}\n`)
      bench.pass(1)
    }
    // Of the first second awake nothing is known: a counter tells only what came after it was first read.
    expect(job.figures()['gpu0EnergyJoules']?.value).toBeCloseTo(300)
  })

  it.each([3, 8, 9, 10])(
    'drew for a job that woke it after %d s nothing of what it drew before',
    (secondsAsleep) => {
      const intelStatus = '/sys/class/drm/card1/device/power/runtime_status'
      const counter = Object.keys(b580).find((path) => path.endsWith('energy1_input')) ?? ''
      const bench = new Bench({ ...b580, [intelStatus]: 'active\n' }, 'intel')
      let joules = 16_000
      const draw = (more: number): void => {
        joules += more
        bench.system.tree.set(counter, `${joules * 1e6}\n`)
        bench.pass(1)
      }
      bench.job([6])
      draw(100)
      draw(100)
      bench.system.tree.set(intelStatus, 'suspended\n')
      draw(0)
      const job = bench.job([7])
      // What the counter gains now shows when the card is read again.
      for (let second = 0; second < secondsAsleep; second++) draw(200)
      bench.system.tree.set(intelStatus, 'active\n')
      bench.tell(7, { pdev: '0000:0b:00.0', 'engine-ccs': '5 ns' })
      job.byPid.set(7, { startTicks: 0, userTicks: 2, systemTicks: 1, minorFaults: 80 })
      for (let second = 0; second < 4; second++) draw(100)
      const figures = job.figures()
      expect(figures['gpu0EnergyJoules']?.value).toBeCloseTo(300)
      expect(figures['gpu0PowerWattsPeak']?.value).toBeCloseTo(100)
    },
  )

  it('has no idle power of NaN', () => {
    const busy = `${device}/gpu_busy_percent`
    const bench = new Bench({ ...rx6900xt, [status]: 'active\n', [busy]: '0\n' }, 'amd')
    const job = bench.job([7], given)
    bench.pass(1)
    bench.system.tree.set(status, 'suspended\n')
    bench.pass(1)
    expect(bench.cards[0]?.idlePowerWatts).toBe(36)
    job.figures()
  })
})

describe('a card of xe that is left alone so that it can fall asleep', () => {
  const xe = '/sys/class/drm/card1/device'
  const resting = {
    ...b580,
    [`${xe}/power/runtime_status`]: 'active\n',
    [`${xe}/power/control`]: 'auto\n',
    [`${xe}/power/autosuspend_delay_ms`]: '5000\n',
    [`${xe}/drm/renderD128/dev`]: '226:128\n',
  }

  /** The card is read after a second, and left alone from the next one on until 8 s. */
  const watching = () => {
    const bench = new Bench(resting, 'intel')
    const job = bench.job([7])
    let [ticks, seconds, busy] = [1, 0, 0]
    /** A second in which it does so much on the card. */
    const work = (share: number): void => {
      seconds += 1
      busy += share
      bench.tell(7, {
        pdev: '0000:0b:00.0',
        'cycles-ccs': `${busy * 1000}`,
        'total-cycles-ccs': `${seconds * 1000}`,
      })
      job.byPid.set(7, { startTicks: 0, userTicks: ++ticks, systemTicks: 1, minorFaults: 80 })
      bench.pass(1)
    }
    const end = () => {
      job.byPid.clear()
      bench.pass(1)
      return job.figures()
    }
    return { bench, job, work, end }
  }
  const left = (seconds: string): string =>
    `card 0 was left alone for ${seconds} s, so that it could fall asleep`

  it('is used by a process that opens it meanwhile, and its work counts', () => {
    const { bench, work, end } = watching()
    bench.pass(1)
    bench.pass(1)
    work(0)
    work(0.5)
    work(0.5)
    const figures = end()
    expect(figures['gpuCards']).toEqual({ value: 1, basis: 'used by its processes' })
    // Until its process ended, what stood before held on.
    expect(figures['gpuBusySeconds']).toMatchObject({ value: 1.5 })
  })

  it('may have been used by a process that had it open and was not asked', () => {
    const { work, end } = watching()
    work(0)
    for (let second = 0; second < 3; second++) work(0.5)
    expect(end()['gpuCards']).toEqual({ value: null, why: left('3.0') })
  })

  it('has all work of a process that is asked again', () => {
    const { work, end } = watching()
    work(0)
    for (let second = 0; second < 8; second++) work(0.5)
    const figures = end()
    expect(figures['gpuCards']?.value).toBe(1)
    // With the second in which it ended.
    expect(figures['gpuBusySeconds']?.value).toBeCloseTo(4.5)
    expect(figures['gpuBusySeconds']).toMatchObject({
      basis: expect.not.stringMatching(/at least/),
    })
    expect(figures['gpuUtilizationPercentPeak']?.value).toBeCloseTo(50)
  })

  it('was not used where no process of the job has it open', () => {
    const { bench, end } = watching()
    for (let second = 0; second < 4; second++) bench.pass(1)
    expect(end()['gpuCards']).toEqual({ value: 0, basis: 'used by its processes' })
  })
})

describe('a card that is part of a CPU', () => {
  it('tells the energy of the package, which is kept apart from that of cards', () => {
    const bench = new Bench({ ...phoenix, ...rx6900xt }, 'amd')
    const both = bench.job([7], 'ROCR_VISIBLE_DEVICES=0,1\0')
    const alone = bench.job([8], 'ROCR_VISIBLE_DEVICES=1\0')
    bench.pass(2)
    const figures = both.figures()
    expect(figures['gpuEnergyJoules']).toMatchObject({
      value: 72,
      basis: expect.stringMatching(/; card 1 is part of the CPU package, and left out$/),
    })
    expect(figures['gpuPowerWattsMean']?.value).toBeCloseTo(36)
    expect(figures['gpuPackageEnergyJoules']?.value).toBeCloseTo(6.206)
    expect(figures['gpu1EnergyJoules']).toMatchObject({
      basis: expect.stringMatching(/; its power is that of the CPU package, or part of it$/),
    })
    const own = alone.figures()
    for (const key of ['gpuEnergyJoules', 'gpuPowerWattsMean'])
      expect(own[key], key).toEqual({ value: null, why: energyIsOfPackage })
    expect(own['gpuPackageEnergyJoules']?.value).toBeCloseTo(6.206)
  })

  it('has no such figure where there is none', () => {
    const bench = new Bench(rx6900xt, 'amd')
    const job = bench.job([7], 'ROCR_VISIBLE_DEVICES=0\0')
    bench.pass(2)
    expect(job.figures()['gpuPackageEnergyJoules']).toBeUndefined()
  })
})
