import { expect, it } from 'vitest'
import { GpuCard } from '../sensors/gpu/gpu-card.ts'
import type { Figures } from './live-figures.ts'
import { addCards } from './live-gpus.ts'

it('says why a card that sleeps tells next to nothing', () => {
  const card = new GpuCard({
    vendor: 'amd',
    source: 'amdgpu in sysfs',
    index: 0,
    id: '0000:03:00.0',
    name: 'AMD GPU 0x73bf',
    parentId: null,
  })
  card.sleep()
  const figures: Figures = { metrics: {}, unavailable: {} }
  addCards(figures, [card], (name) => ['gpu_0_util', 'gpu_0_power_w'].includes(name))
  expect(figures).toEqual({
    metrics: { gpu_0_util: 0 },
    unavailable: { gpu_0_power_w: 'AMD GPU 0x73bf is asleep, and is not woken to be read' },
  })
})
