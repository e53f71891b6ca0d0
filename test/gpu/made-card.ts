import { JobGpus } from '../../src/meter/gauges/gpu/job-gpus.ts'
import { WatchedCards } from '../../src/meter/gauges/gpu/watched-cards.ts'
import { JobDevices } from '../../src/meter/job-devices.ts'
import type { Measured } from '../../src/model/measured.ts'
import { GpuCard, type GpuSource } from '../../src/sensors/gpu/gpu-card.ts'
import { fakeSystem } from '../../src/system/fake.ts'

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
  readonly fails?: string
  /** Why it does not tell of its processes. */
  readonly untold?: string
  readonly rests?: 'asleep' | 'left alone'
  /** Memory of the job's process; without it, the job has none on the card. */
  readonly ownBytes?: number
  /** Of a process of somebody else, likewise. */
  readonly otherBytes?: number
}

class MadeCards implements GpuSource {
  readonly name = 'NVML'
  readonly cards: readonly GpuCard[]
  says: readonly Said[] = []

  constructor(count: number) {
    this.cards = Array.from({ length: count }, (_, index) => {
      const place = { index, id: `GPU-${index}`, name: 'NVIDIA H200', parentId: null }
      return new GpuCard({ vendor: 'nvidia', source: this.name, ...place })
    })
  }

  look(): void {
    for (const [index, card] of this.cards.entries()) say(card, this.says[index] ?? {})
  }

  lookAtActivity(): void {}
  close(): void {}
}

function say(card: GpuCard, said: Said): void {
  const { processes } = card
  processes.count = 0
  processes.loss = said.untold ?? null
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
  card.energyJoules = said.joules ?? Number.NaN
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
  figuresIn((count) => `CUDA_VISIBLE_DEVICES=${[...Array(count).keys()].join(',')}\0`, looks)

/** The same where nobody has given it any. */
export const figuresOfTaken = (...looks: readonly (Said | readonly Said[])[]): Figures =>
  figuresIn(() => '', looks)

type Figures = Readonly<Record<string, Measured>>

function figuresIn(
  environmentFor: (cards: number) => string,
  looks: readonly (Said | readonly Said[])[],
): Figures {
  const all = looks.map((said) =>
    Array.isArray(said) ? (said as readonly Said[]) : [said as Said],
  )
  const count = all[0]?.length ?? 0
  const source = new MadeCards(count)
  // The pids of the card's processes are those that we have too.
  const system = fakeSystem({ files: { '/proc/self/ns/pid': 'pid:[4026531836]' } })
  const members = {
    byPid: new Map([[ownPid, { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 }]]),
    totals: () => ({ userTicks: 0, systemTicks: 0 }),
  }
  const devices = new JobDevices(0, () => {})
  const job = new JobGpus(
    { system, members, devices },
    new WatchedCards(system, [source]),
    environmentFor(count),
  )
  for (const [at, says] of all.entries()) {
    source.says = says
    system.advance(1)
    job.look(at + 1, 'row')
  }
  return job.figures(all.length)
}

/** The same look again and again. */
export const times = (count: number, said: Said): Said[] => Array<Said>(count).fill(said)
