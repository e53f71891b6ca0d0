import { expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { DeviceCounters } from './device-counters.ts'

const disks = (sectors: number) =>
  `254 0 vda 1 0 ${sectors} 0 1 0 ${2 * sectors} 0 0 0 0\n254 1 vda1 1 0 9 0 1 0 9 0 0 0 0\n`
const interfaces = (bytes: number) =>
  `Inter-| Receive | Transmit\n face |bytes\n` +
  `    lo: 9 0 0 0 0 0 0 0 9 0 0 0 0 0 0 0\n` +
  `  eth0: ${bytes} 0 0 0 0 0 0 0 ${3 * bytes} 0 0 0 0 0 0 0\n` +
  `vethab: 7 0 0 0 0 0 0 0 7 0 0 0 0 0 0 0\n`

it('tells what each disk and interface did since the look before', () => {
  const { files, tree } = fakeSystem({
    files: { '/proc/diskstats': disks(10), '/proc/net/dev': interfaces(100) },
  })
  const counters = new DeviceCounters(files)
  expect(counters.look()).toMatchObject([
    { kind: 'disk', name: 'vda', inBytes: null, outBytes: null },
    { kind: 'interface', name: 'eth0', inBytes: null, outBytes: null },
  ])
  tree.set('/proc/diskstats', disks(30))
  tree.set('/proc/net/dev', interfaces(50))
  expect(counters.look()).toMatchObject([
    { kind: 'disk', name: 'vda', inBytes: 20 * 512, outBytes: 40 * 512 },
    // It counts from anew: another one has its name.
    { kind: 'interface', name: 'eth0', inBytes: null, outBytes: null },
  ])
  tree.delete('/proc/diskstats')
  tree.set('/proc/net/dev', 'garbage')
  expect(counters.look()).toEqual([])
})
