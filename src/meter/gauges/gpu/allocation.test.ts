import { describe, expect, it } from 'vitest'
import { GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import { cardsNamedBy, parseEnvironment } from './allocation.ts'

function card(index: number, id: string, parentId: string | null = null, name = 'H200'): GpuCard {
  return new GpuCard({ vendor: 'nvidia', source: 'NVML', index, id, name, parentId })
}

const named = (environment: string, cards: readonly GpuCard[]): string[] | null =>
  cardsNamedBy(parseEnvironment(environment), cards)?.map(({ identity }) => identity.id) ?? null

const two = [card(0, 'GPU-aaaa-1'), card(1, 'GPU-bbbb-2')]

describe('the cards that an environment gives to a job', () => {
  it.each([
    ['CUDA_VISIBLE_DEVICES=1', ['GPU-bbbb-2']],
    ['CUDA_VISIBLE_DEVICES=1,0', ['GPU-bbbb-2', 'GPU-aaaa-1']],
    ['CUDA_VISIBLE_DEVICES=GPU-bbbb', ['GPU-bbbb-2']],
    ['CUDA_VISIBLE_DEVICES=', []],
    ['CUDA_VISIBLE_DEVICES=-1', []],
    ['CUDA_VISIBLE_DEVICES=0,7', ['GPU-aaaa-1']],
    ['PATH=/bin', null],
  ])('are by %s: %j', (environment, expected) => {
    expect(named(`HOME=/root\0${environment}\0`, two)).toEqual(expected)
  })

  it.each([
    ['CUDA_VISIBLE_DEVICES=1\0ROCR_VISIBLE_DEVICES=1', ['0000:04:00.0']],
    ['CUDA_VISIBLE_DEVICES=0', ['0000:03:00.0']],
    ['HIP_VISIBLE_DEVICES=', []],
    ['ROCR_VISIBLE_DEVICES=GPU-0123456789abcdef', null],
  ])('are those of AMD where there are no others, by %j: %j', (environment, expected) => {
    const amd = ['0000:03:00.0', '0000:04:00.0'].map(
      (id, index) =>
        new GpuCard({ vendor: 'amd', source: 'sysfs', index, id, name: 'MI210', parentId: null }),
    )
    expect(named(`${environment}\0`, amd)).toEqual(expected)
  })

  it('are those of AMD by the numbers that ROCm has for them, which may leave cards out', () => {
    const counted: [id: string, rocmNumbers: number[]][] = [
      ['0000:0a:00.0', []],
      ['0000:03:00.0', [0, 1]],
      ['0000:04:00.0', [2]],
    ]
    const amd = counted.map(([id, rocmNumbers], index) => {
      const identity = {
        vendor: 'amd',
        source: 'sysfs',
        index,
        id,
        name: 'x',
        parentId: null,
      } as const
      return Object.assign(new GpuCard(identity), { rocmNumbers })
    })
    expect(named('ROCR_VISIBLE_DEVICES=0\0', amd)).toEqual(['0000:03:00.0'])
    expect(named('ROCR_VISIBLE_DEVICES=0,1,2\0', amd)).toEqual(['0000:03:00.0', '0000:04:00.0'])
  })

  it('are MIG instances by their UUIDs, and the first of them for a card that is divided', () => {
    const divided = card(0, 'GPU-aaaa-1')
    divided.isDivided = true
    const parts = [card(2, 'MIG-x', 'GPU-aaaa-1'), card(3, 'MIG-y', 'GPU-aaaa-1')]
    const all = [divided, card(1, 'GPU-bbbb-2'), ...parts]
    expect(named('CUDA_VISIBLE_DEVICES=MIG-y', all)).toEqual(['MIG-y'])
    expect(named('CUDA_VISIBLE_DEVICES=0', all)).toEqual(['MIG-x'])
  })

  it('are not known by numbers where cards differ, unless these count by the bus', () => {
    const mixed = [card(0, 'GPU-a', null, 'GTX 1050'), card(1, 'GPU-b', null, 'H200')]
    expect(named('CUDA_VISIBLE_DEVICES=0', mixed)).toBeNull()
    expect(named('CUDA_DEVICE_ORDER=PCI_BUS_ID\0CUDA_VISIBLE_DEVICES=0', mixed)).toEqual(['GPU-a'])
    expect(named('CUDA_VISIBLE_DEVICES=GPU-b', mixed)).toEqual(['GPU-b'])
  })
})
