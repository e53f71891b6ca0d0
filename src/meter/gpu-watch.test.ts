import { describe, expect, it } from 'vitest'
import { ownHelpers } from '../../test/nvml/own-helpers.ts'
import { standInForEach } from '../../test/nvml/stand-in-for-each.ts'
import { card, standInMissing } from '../../test/nvml/stand-in.ts'
import { realSystem } from '../system/real.ts'
import { GpuWatch } from './gpu-watch.ts'

const system = realSystem({ ownsProcess: false })
const tell = standInForEach()

/** How much the first card works, or why that is not known. */
function work(watch: GpuWatch): number | string | undefined {
  const found = watch.find()
  return found?.kind === 'ok' ? found.value.look()[0]?.utilizationPercent : found?.kind
}

const noHelpers = async (): Promise<void> => {
  while (ownHelpers() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe.skipIf(standInMissing)('the cards of a machine', () => {
  it('are asked by one process, however many watch them, until the last is gone', async () => {
    tell(card(0, { util: 42 }))
    const watches = Array.from({ length: 3 }, () => new GpuWatch({ ...system }))
    const [first = new GpuWatch(system), ...others] = watches
    expect(ownHelpers()).toBe(0)
    await Promise.all(watches.map((watch) => watch.settled()))
    expect(watches.map(work)).toEqual([42, 42, 42])
    expect(ownHelpers()).toBe(1)
    first.close()
    first.close()
    expect(work(first)).toBe('unavailable')
    expect(others.map(work)).toEqual([42, 42])
    for (const watch of others) watch.close()
    await noHelpers()
    const later = new GpuWatch(system)
    await later.settled()
    expect(work(later)).toBe(42)
    later.close()
    await noHelpers()
  })

  it('are given back where the last one goes while they are being opened', async () => {
    tell(card(0))
    const watch = new GpuWatch(system)
    const settled = watch.settled()
    watch.close()
    await settled
    await noHelpers()
    expect(work(watch)).toBe('unavailable')
  })

  it('are opened anew for those who come after a failure', async () => {
    tell('driver loaded=0')
    const early = new GpuWatch(system)
    await early.settled()
    expect(work(early)).toBe('unavailable')
    tell(card(0, { util: 7 }))
    const late = new GpuWatch(system)
    await late.settled()
    expect(work(late)).toBe(7)
    tell(card(0, { crash: 1 }))
    await noHelpersAfter(() => work(late))
    tell(card(0, { util: 8 }))
    const last = new GpuWatch(system)
    await last.settled()
    expect(work(last)).toBe(8)
    for (const watch of [early, late, last]) watch.close()
    await noHelpers()
  })
})

/** Looks until the process that asks has ended, and all cards are known to be lost. */
async function noHelpersAfter(look: () => unknown): Promise<void> {
  while (ownHelpers() > 0 || !Number.isNaN(look())) {
    look()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
