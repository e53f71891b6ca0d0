import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../system/fake.ts'
import { cudaDevices, rocrDevices } from '../model/device-lists.ts'
import { readVisibleGpus } from './visible-gpus.ts'

const uuid = 'GPU-f7f151e1-78e1-5794-e494-2e94da2f0905'
const other = 'GPU-0a5d4c1e-1111-2222-3333-444455556666'
const mig = 'MIG-3f1b2c4d-aaaa-bbbb-cccc-ddddeeeeffff'
const oldMig = `MIG-${uuid}/7/0`

describe('what CUDA makes of CUDA_VISIBLE_DEVICES', () => {
  it.each([
    ['0', ['0']],
    ['2,0', ['2', '0']],
    [' 0 , 1 ', ['0', '1']],
    ['', []],
    [' ', []],
    ['-1', []],
    ['-1,0', []],
    ['0,-1,1', ['0']],
    ['0,,1', ['0']],
    [',0', []],
    ['0,1,', ['0', '1']],
    ['NoDevFiles', []],
    ['0,none,1', ['0']],
    // By the number that it begins with, as strtol reads it.
    ['+0', ['0']],
    ['00', ['0']],
    ['1st,0x3', ['1', '0']],
    // One device twice is an error, and then there is none.
    ['0,0', []],
    [`${uuid},${uuid}`, []],
    [uuid, [uuid]],
    [`${uuid}, ${other}`, [uuid, other]],
    [uuid.slice(0, 9), [uuid.slice(0, 9)]],
    [mig, [mig]],
    [`${mig},${oldMig}`, [mig, oldMig]],
    ['gpu-f7f151e1', []],
    ['GPU-,0', []],
    // One kind a list: where another begins, it ends.
    [`0,${uuid},1`, ['0']],
    [`${uuid},0`, [uuid]],
    [`${uuid},${mig}`, [uuid]],
  ])('"%s"', (told, devices) => {
    expect(cudaDevices(told, null)).toEqual(devices)
  })

  it('ends at an index that the machine does not have', () => {
    expect(cudaDevices('1,0,4,2', 4)).toEqual(['1', '0'])
    expect(cudaDevices('1,0', 1)).toEqual([])
    expect(cudaDevices(uuid, 1)).toEqual([uuid])
  })

  const entry = fc.oneof(
    fc.nat(9).map(String),
    fc.constantFrom(uuid, other, mig, oldMig, '-1', '', ' ', 'none', '+3', '2x', ' 5 '),
  )

  it('hands out nothing but entries of the list, in their order, up to the first that is none', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
        const devices = cudaDevices(entries.join(','), null)
        expect(new Set(devices).size).toBe(devices.length)
        const given = entries.slice(0, devices.length).map((one) => one.trim())
        const asRead = given.map((one) => (/^\+?\d/.test(one) ? String(parseInt(one, 10)) : one))
        expect(devices).toEqual(asRead)
        // What is handed out is read as itself by the next one, and what comes after an end changes nothing.
        expect(cudaDevices(devices.join(','), null)).toEqual(devices)
        expect(cudaDevices([...devices, '-1', '7'].join(','), null)).toEqual(devices)
      }),
      { seed: 1 },
    )
  })
})

describe('ROCR_VISIBLE_DEVICES', () => {
  it('may name devices in both ways', () => {
    expect(rocrDevices('0,GPU-deadbeefdeadbeef')).toEqual(['0', 'GPU-deadbeefdeadbeef'])
    expect(rocrDevices('0,-1,1')).toEqual(['0'])
    expect(rocrDevices('')).toEqual([])
  })
})

describe('the GPUs that are ours', () => {
  const system = fakeSystem({
    files: { '/dev/nvidia3': '', '/dev/nvidia10': '', '/dev/nvidiactl': '', '/dev/null': '' },
  })

  it('are those that the environment names, CUDA first', () => {
    expect(
      readVisibleGpus(system, { CUDA_VISIBLE_DEVICES: uuid, ROCR_VISIBLE_DEVICES: '1' }),
    ).toEqual({ names: [uuid], toldBy: `CUDA_VISIBLE_DEVICES=${uuid}` })
    expect(readVisibleGpus(system, { ROCR_VISIBLE_DEVICES: '4,7' })).toEqual({
      names: ['4', '7'],
      toldBy: 'ROCR_VISIBLE_DEVICES=4,7',
    })
    expect(readVisibleGpus(system, { CUDA_VISIBLE_DEVICES: '-1' }).names).toEqual([])
  })

  it('are counted from 0 by CUDA, whatever their device files are called', () => {
    expect(readVisibleGpus(system, {})).toEqual({ names: ['0', '1'], toldBy: null })
    expect(readVisibleGpus(fakeSystem({}), {})).toEqual({ names: [], toldBy: null })
  })
})
