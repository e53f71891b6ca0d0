import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownHelperPids, ownHelpers } from '../../../test/nvml/own-helpers.ts'
import {
  card,
  gpm,
  instanceOf,
  processOn,
  setState,
  standIn,
  standInMissing,
} from '../../../test/nvml/stand-in.ts'
import { openNvml } from '../../system/nvml.ts'
import { realSystem } from '../../system/real.ts'
import type { GpuCard, GpuSource } from './gpu-card.ts'
import { NvmlCards } from './nvml-cards.ts'
import { NvmlProcess } from './nvml-process.ts'

const system = realSystem({ ownsProcess: false })
let folder = ''
let state = ''
let opened: GpuSource[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-nvml-'))
  state = join(folder, 'state')
  process.env['JOBMETER_NVML'] = standIn
  process.env['JOBMETER_NVML_STATE'] = state
})
afterEach(() => {
  for (const source of opened) source.close()
  opened = []
  delete process.env['JOBMETER_NVML']
  delete process.env['JOBMETER_NVML_STATE']
  rmSync(folder, { recursive: true })
})

async function openProcess(...lines: readonly string[]): Promise<NvmlProcess> {
  setState(state, lines)
  const source = await NvmlProcess.open(system)
  if (source.kind !== 'ok') throw new Error(JSON.stringify(source))
  opened.push(source.value)
  return source.value
}

/** Looks until a card is as wanted. */
async function lookUntil(source: GpuSource, isWanted: (first: GpuCard) => boolean): Promise<void> {
  for (;;) {
    source.look(false)
    if (source.cards[0] !== undefined && isWanted(source.cards[0])) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** On a busy machine an answer may be late: looks until one is not. Then nothing is waited for. */
async function lookUntilAnswered(source: GpuSource): Promise<void> {
  while (!source.look(true)) await new Promise((resolve) => setTimeout(resolve, 5))
}

const ended = 'the process that asks the GPU driver ended'

const failures = ({ cards }: GpuSource): (string | null)[] => cards.map(({ failure }) => failure)

describe.skipIf(standInMissing)('cards through a process that asks NVML', () => {
  it('are the same as without it', async () => {
    const lines = [
      card(0, { util: 98, memutil: 16, temp: 60, power: 692_500, throttle: 4, mig: 1 }),
      'card 1 uuid=GPU-x name=Old total=1000 used=10',
      card(2, { hidden: 1 }),
      instanceOf(0, { uuid: 'MIG-a', name: 'H200_1g', gi: 3, used: 100, total: 1000 }),
      processOn(0, { pid: 7, memory: 2_000_000_000, sm: 60, gi: 3 }),
      processOn(0, { pid: 9, memory: -1, graphics: 1 }),
      ...Array.from({ length: 40 }, (_, at) =>
        processOn(1, { pid: at + 1000, memory: at, sm: at % 3 }),
      ),
      gpm(0, { 1: 99.1, 2: 95.6 }),
    ]
    const asked = await openProcess(...lines)
    const direct = await NvmlCards.open({
      clock: system.clock,
      nvml: { isLikely: () => true, open: () => openNvml(standIn) },
    })
    if (direct.kind !== 'ok') throw new Error(JSON.stringify(direct))
    opened.push(direct.value)
    // All is asked once: where it is late, the answer comes before that of the look.
    for (const source of opened) {
      await lookUntilAnswered(source)
      source.lookAtActivity(source.cards)
      await lookUntilAnswered(source)
      for (const each of source.cards) {
        source.lookAtShares?.(each)
        await lookUntilAnswered(source)
      }
    }
    expect(asked.cards).toEqual(direct.value.cards)
    expect(asked.cards).toHaveLength(4)
    expect(asked.cards[1]?.processes.count).toBe(40)
  })

  it('fail while the driver does not answer, without holding anybody up, and come back', async () => {
    const source = await openProcess(card(0, { util: 50 }), card(1, { util: 60 }))
    await lookUntil(source, ({ failure }) => failure === null)
    expect(failures(source)).toEqual([null, null])
    setState(state, [card(0, { util: 51 }), card(1, { util: 61, hang: 1 })])
    const begun = performance.now()
    source.look(false)
    const waitedMs = performance.now() - begun
    // It would never answer. For a second the cards are as they were; how long that is waited for, `nvml-ahead.test.ts` tells.
    await lookUntil(source, ({ failure }) => failure !== null)
    expect(failures(source)[0]).toMatch(/^the GPU driver did not answer for \d\.\d s$/)
    expect(source.cards[0]?.utilizationPercent).toBeNaN()
    // Nobody waits for the same answer twice.
    const again = performance.now()
    for (let look = 0; look < 20; look++) {
      source.look(true)
      source.lookAtActivity(source.cards)
    }
    expect(performance.now() - again).toBeLessThan(10 * waitedMs)
    setState(state, [card(0, { util: 52 }), card(1, { util: 62 })])
    await lookUntil(source, ({ utilizationPercent }) => utilizationPercent === 52)
    expect(failures(source)).toEqual([null, null])
  })

  it('are not known before their first answer, which does not say that they do nothing', async () => {
    const source = await openProcess(card(0, { util: 50 }))
    const notYet = 'the GPU driver had not answered yet'
    expect(failures(source)).toEqual([notYet])
    setState(state, [card(0, { util: 51, hang: 1 })])
    source.look(false)
    expect(failures(source)).toEqual([notYet])
    await lookUntil(source, ({ failure }) => failure !== notYet)
    expect(failures(source)[0]).toMatch(/^the GPU driver did not answer for \d\.\d s$/)
    setState(state, [card(0, { util: 52 })])
    await lookUntil(source, ({ failure }) => failure === null)
    expect(source.cards[0]).toMatchObject({ utilizationPercent: 52, isUnread: false })
  })

  it('are waited for at the look alone, where they were asked ahead and the driver hangs', async () => {
    // Others may keep the machine busy: once is enough to show that it does not wait for the answer.
    const asked = async (): Promise<readonly [NvmlProcess, number]> => {
      const tried = await openProcess(card(0, { util: 50 }))
      await lookUntilAnswered(tried)
      setState(state, [card(0, { util: 51, hang: 1 })])
      const begun = performance.now()
      tried.ask(false)
      return [tried, performance.now() - begun]
    }
    let [source, askedMs] = await asked()
    for (let more = 0; more < 4 && askedMs >= 90; more++) [source, askedMs] = await asked()
    expect(askedMs).toBeLessThan(90)
    expect(failures(source)).toEqual([null])
    const looked = performance.now()
    source.look(false)
    const waitedMs = performance.now() - looked
    await lookUntil(source, ({ failure }) => failure !== null)
    expect(failures(source)[0]).toMatch(/^the GPU driver did not answer for \d\.\d s$/)
    const again = performance.now()
    for (let look = 0; look < 20; look++) {
      source.ask(false)
      source.look(false)
    }
    expect(performance.now() - again).toBeLessThan(10 * waitedMs)
    setState(state, [card(0, { util: 52 })])
    await lookUntil(source, ({ failure }) => failure === null)
    expect(source.cards[0]?.utilizationPercent).toBe(52)
    setState(state, [card(0, { crash: 1 })])
    source.ask(false)
    await lookUntil(source, ({ failure }) => failure === ended)
    expect(failures(source)).toEqual([ended])
  })

  it('fail where the library takes its process down with it', async () => {
    const source = await openProcess(card(0))
    setState(state, [card(0, { crash: 1 })])
    // A process takes a while to end on a busy machine.
    await lookUntil(source, ({ failure }) => failure === ended)
    expect(failures(source)).toEqual([ended])
  })

  it('fail where that process was killed between two looks', async () => {
    const source = await openProcess(card(0))
    source.look(false)
    for (const pid of ownHelperPids()) process.kill(pid, 'SIGKILL')
    while (ownHelpers() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    source.ask(false)
    source.look(false)
    expect(failures(source)).toEqual([ended])
  })

  it('are unavailable where the driver is not loaded', async () => {
    setState(state, ['driver loaded=0'])
    expect(await NvmlProcess.open(system)).toEqual({
      kind: 'unavailable',
      why: 'the NVIDIA driver is not loaded',
    })
  })

  it('leave no process behind, hanging or not', async () => {
    const calm = await openProcess(card(0))
    const hung = await openProcess(card(0))
    setState(state, [card(0, { hang: 1 })])
    hung.look(false)
    expect(ownHelpers()).toBe(2)
    calm.close()
    hung.close()
    opened = []
    while (ownHelpers() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })
})
