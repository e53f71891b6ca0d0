import { describe, expect, it } from 'vitest'
import { card, standInMissing } from '../../../test/nvml/stand-in.ts'
import { standInForEach } from '../../../test/nvml/stand-in-for-each.ts'
import { rx6900xt } from '../../../test/fixtures/gpu/trees.ts'
import { fakeSystem } from '../../system/fake.ts'
import { realSystem } from '../../system/real.ts'
import { gpuRungs } from './gpu-rungs.ts'

const system = realSystem({ ownsProcess: false })

const tell = standInForEach()

describe.skipIf(standInMissing)('what NVIDIA cards are bound by, as doctor tells it', () => {
  const told = async (figures: Record<string, number>) => {
    tell(card(0, figures))
    const rungs = await gpuRungs(system)
    return rungs.find(({ name }) => name === 'what NVIDIA GPUs are bound by')
  }

  it('needs no root', async () => {
    expect(await told({})).toMatchObject({
      state: 'yes',
      finding: expect.stringMatching(/^GPM counters, which need no root: /),
      remedy: null,
    })
  })

  it('needs more rights where the driver says so', async () => {
    expect(await told({ gpmerror: 4 })).toMatchObject({
      state: 'no',
      finding: 'GPM: it needs more rights',
      remedy: 'run as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0',
    })
  })
})

describe('a card that sleeps, as doctor tells it', () => {
  it('is found, and not woken', async () => {
    const status = '/sys/class/drm/card0/device/power/runtime_status'
    const files = { ...rx6900xt, [status]: 'suspended\n' }
    const rungs = await gpuRungs(fakeSystem({ files }))
    expect(rungs.find(({ name }) => name === 'AMD GPUs')).toMatchObject({
      state: 'yes',
      finding: expect.stringContaining(
        '1 card (AMD GPU 0x73bf), 1 asleep and not woken to be read',
      ),
    })
  })
})
