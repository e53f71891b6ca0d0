import { JobGpus } from '../../src/meter/gauges/gpu/job-gpus.ts'
import { WatchedCards } from '../../src/meter/gauges/gpu/watched-cards.ts'
import { JobDevices } from '../../src/meter/job-devices.ts'
import type { Measured } from '../../src/model/measured.ts'
import { GpuCard, type GpuSource } from '../../src/sensors/gpu/gpu-card.ts'
import { fakeSystem, type FakeSystem } from '../../src/system/fake.ts'
import { throughNvml } from './made-line.ts'

const ownPid = 7
const otherPid = 8

/** What a card says at a look. `fails`: nothing, for this reason; `asleep`, `left alone`: as the kernel's drivers do. */
export interface Said {
  readonly util?: number
  readonly watts?: number
  /** Its energy counter, where it has one. */
  readonly joules?: number
  readonly ecc?: number
  readonly throttle?: number
  /** How much its tensor units worked, where it has counters for that. */
  readonly tensor?: number | undefined
  /** What it moved over NVLink, likewise; a card without links tells nothing of them. */
  readonly nvlinkBytes?: number
  readonly fails?: string
  /** Why it does not tell of its processes. */
  readonly untold?: string
  /** It does not tell whose work it does. */
  readonly areSharesUntold?: boolean
  readonly rests?: 'asleep' | 'left alone'
  /** Memory of the job's process; without it, the job has none on the card. */
  readonly ownBytes?: number
  /** Of a process of somebody else, likewise. */
  readonly otherBytes?: number | undefined
  /** The driver answers nothing in time, from here on until a look says otherwise. */
  readonly isLate?: boolean
}

class MadeCards implements GpuSource {
  readonly name = 'NVML'
  readonly cards: readonly GpuCard[]
  says: readonly Said[] = []
  readonly #countsSeldom: boolean

  /** `countsSeldom`: its energy counters are read only where what is dear is asked for, as NVIDIA's are. */
  constructor(count: number, countsSeldom: boolean) {
    this.#countsSeldom = countsSeldom
    this.cards = Array.from({ length: count }, (_, index) => {
      const place = { index, id: `GPU-${index}`, name: 'NVIDIA H200', parentId: null }
      return new GpuCard({ vendor: 'nvidia', source: this.name, ...place })
    })
  }

  look(seldom: boolean): boolean {
    for (const [index, card] of this.cards.entries()) {
      const said = this.says[index] ?? {}
      say(card, said)
      if (seldom || !this.#countsSeldom) card.energyJoules = said.joules ?? Number.NaN
    }
    return true
  }

  /** Whatever is asked, the answer tells all of the cards anew. */
  lookAtActivity(): void {
    this.look(false)
    for (const [index, { activity }] of this.cards.entries()) {
      const { tensor, nvlinkBytes = Number.NaN } = this.says[index] ?? {}
      if (tensor === undefined) continue
      const readings = activity.readings + 1
      Object.assign(activity, {
        tensorPercent: tensor,
        smActivePercent: tensor,
        nvlinkBytesPerSecond: nvlinkBytes,
        seconds: 2,
        readings,
      })
    }
  }

  close(): void {}
}

function say(card: GpuCard, said: Said): void {
  const { processes } = card
  processes.count = 0
  processes.loss = said.untold ?? null
  processes.tellsUtilization = said.areSharesUntold !== true
  card.isAsleep = card.isLeftAlone = false
  processes.unseenPids.clear()
  if (said.fails !== undefined) return card.fail(said.fails)
  card.failure = null
  if (said.rests === 'asleep') return card.sleep()
  if (said.rests === 'left alone') {
    card.leaveAlone()
    processes.unseenPids.add(ownPid)
    return
  }
  card.utilizationPercent = said.util ?? 0
  card.memoryUtilizationPercent = (said.util ?? 0) / 2
  card.powerWatts = said.watts ?? 100
  card.eccErrors = said.ecc ?? Number.NaN
  card.temperatureCelsius = 50
  card.memoryTotalBytes = 1000
  card.memoryUsedBytes = 500
  card.clockMegahertz = card.mostClockMegahertz = 1980
  card.throttle = said.throttle ?? 0
  if (said.ownBytes !== undefined) processes.add(ownPid, said.ownBytes)
  if (said.otherBytes !== undefined) processes.add(otherPid, said.otherBytes)
}

/** The figures of a job that is looked at once a second, while its cards say this. Each is given to it by its environment. */
export const figuresOf = (...looks: readonly (Said | readonly Said[])[]): Figures =>
  figuresIn(givenAll, looks)

/** The same where nobody has given it any. */
export const figuresOfTaken = (...looks: readonly (Said | readonly Said[])[]): Figures =>
  figuresIn(() => '', looks)

/** The first again, where the cards are asked by a process of their own. */
export async function figuresByNvml(
  ...looks: readonly (Said | readonly Said[])[]
): Promise<Figures> {
  const all = cardsIn(looks)
  const machine = machineOfOurs()
  const made = new MadeCards(all[0]?.length ?? 0, true)
  const { line, source } = await throughNvml(machine, made)
  return lookedAt(machine, source, givenAll(source.cards.length), all, (says) => {
    made.says = says
    line.isLate = says.some(({ isLate }) => isLate === true)
  })
}

export type Figures = Readonly<Record<string, Measured>>

const givenAll = (cards: number): string =>
  `CUDA_VISIBLE_DEVICES=${[...Array(cards).keys()].join(',')}\0`

const cardsIn = (looks: readonly (Said | readonly Said[])[]): (readonly Said[])[] =>
  looks.map((said) => (Array.isArray(said) ? (said as readonly Said[]) : [said as Said]))

/** The pids of the processes on a card are those that we have too. */
const machineOfOurs = (): FakeSystem =>
  fakeSystem({ files: { '/proc/self/ns/pid': 'pid:[4026531836]' } })

function figuresIn(
  environmentFor: (cards: number) => string,
  looks: readonly (Said | readonly Said[])[],
): Figures {
  const all = cardsIn(looks)
  const source = new MadeCards(all[0]?.length ?? 0, false)
  const environment = environmentFor(source.cards.length)
  return lookedAt(machineOfOurs(), source, environment, all, (says) => (source.says = says))
}

function lookedAt(
  system: FakeSystem,
  source: GpuSource,
  environment: string,
  looks: readonly (readonly Said[])[],
  tell: (says: readonly Said[]) => void,
): Figures {
  const members = {
    byPid: new Map([[ownPid, { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 }]]),
    totals: () => ({ userTicks: 0, systemTicks: 0 }),
  }
  const devices = new JobDevices(0, () => {})
  const cards = new WatchedCards(system, [source])
  const job = new JobGpus({ system, members, devices }, cards, environment)
  const beganAt = system.clock.monotonicSeconds()
  for (const [at, says] of looks.entries()) {
    tell(says)
    // The machine may have stood still meanwhile, waiting for an answer.
    system.advance(at + 1 - (system.clock.monotonicSeconds() - beganAt))
    job.look(at + 1, 'row')
  }
  return job.figures(system.clock.monotonicSeconds() - beganAt)
}

/** The same look again and again. */
export const times = (count: number, said: Said): Said[] => Array<Said>(count).fill(said)
