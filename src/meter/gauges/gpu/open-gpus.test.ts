import { expect, it } from 'vitest'
import { failed } from '../../../model/reading.ts'
import { fakeSystem } from '../../../system/fake.ts'
import { openGpus } from './open-gpus.ts'

it('says once why there is no card, though several were looked for in the same place', async () => {
  const system = fakeSystem({ files: { '/dev/dri/renderD128': '' } })
  const toolOutput = () => Promise.resolve(failed('intel_gpu_top ended with 1'))
  expect(await openGpus({ ...system, toolOutput })).toEqual({
    kind: 'unavailable',
    why: 'no GPU can be read: no NVIDIA driver: there is no /dev/nvidiactl; there is no /sys/class/drm; intel_gpu_top ended with 1',
  })
})
