import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { card, setState, standIn, standInMissing } from '../../../test/nvml/stand-in.ts'
import { openNvml } from '../../system/nvml.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { gpuRungs } from './gpu-rungs.ts'

const real = realSystem({ ownsProcess: false })
const system: System = {
  ...real,
  nvml: { isLikely: () => true, open: () => openNvml(standIn) },
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-rungs-'))
  process.env['JOBMETER_NVML_STATE'] = join(folder, 'state')
})
afterEach(() => {
  delete process.env['JOBMETER_NVML_STATE']
  rmSync(folder, { recursive: true })
})

describe.skipIf(standInMissing)('what NVIDIA cards are bound by, as doctor tells it', () => {
  const told = async (figures: Record<string, number>) => {
    setState(join(folder, 'state'), [card(0, figures)])
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
