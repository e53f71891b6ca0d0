import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { NodeDevice, NodeRound } from '../../model/node-round.ts'
import { openNodeStore } from './open-node.ts'
import { usualRetention } from './retention.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const start = 1_772_409_600

function round(minute: number, host: string, devices: readonly NodeDevice[]): NodeRound {
  const node = {
    cores: 2,
    cpuSeconds: 30 * minute,
    ioWaitSeconds: 6,
    readBytes: 0,
    writeBytes: 0,
    netReceivedBytes: 0,
    netSentBytes: 0,
    gpuSeconds: null,
    joules: null,
    memoryBytes: minute * 2 ** 20,
    memoryTotalBytes: 2 ** 30,
    swapUsedBytes: (4 - minute) * 1024,
    gpuMemoryBytes: null,
    gpuMemoryTotalBytes: null,
    gpus: 1,
    load: minute,
    coreSeconds: [60 - minute, minute],
    processes: minute,
    threads: 10,
    zombies: 0,
  }
  const at = start + 60 * minute
  return { host, epoch: 'b', at, seconds: 60, node, jobs: [], lostRecords: 0, devices }
}

const disk = (inBytes: number, outBytes: number | null): NodeDevice => ({
  kind: 'disk',
  name: 'vda',
  inBytes,
  outBytes,
  busySeconds: null,
  joules: null,
  memoryBytes: null,
})
const gpu: NodeDevice = {
  kind: 'gpu',
  name: 'nvidia 0 H200',
  inBytes: null,
  outBytes: null,
  busySeconds: 15,
  joules: 6000,
  memoryBytes: 2 ** 30,
}

it('tells the last round and the peaks of a time, with each core and device', () => {
  const store = openNodeStore(join(folder, 'node.db'))
  store.addRound(round(1, 'a', [disk(6000, null), gpu]))
  store.addRound(round(2, 'a', [disk(600, 1200)]))
  store.addRound(round(3, 'a', [disk(1800, 0)]))
  store.addRound(round(1, 'b', []))
  const [a, b] = store.reader.states({ from: start, to: start + 130 })
  expect(a).toMatchObject({
    host: 'a',
    at: start + 180,
    latest: { busyCores: 1.5, load: 3, memoryBytes: 3 * 2 ** 20, swapBytes: 1024, processes: 3 },
    peak: { busyCores: 1, load: 2, memoryBytes: 2 * 2 ** 20, swapBytes: 3072, processes: 2 },
  })
  expect(a?.coreShares).toEqual([
    { latest: 57 / 60, peak: 59 / 60 },
    { latest: 3 / 60, peak: 3 / 60 },
  ])
  expect(a?.devices).toMatchObject([
    {
      kind: 'disk',
      isThere: true,
      latest: { inBytesPerSecond: 30, outBytesPerSecond: 0 },
      peak: { inBytesPerSecond: 100, outBytesPerSecond: 20 },
    },
    {
      kind: 'gpu',
      isThere: false,
      peak: { busyShare: 0.25, watts: 100, memoryBytes: 2 ** 30, inBytesPerSecond: null },
    },
  ])
  expect(b).toMatchObject({ host: 'b', devices: [] })
  expect(store.reader.states({ from: 0, to: 1, hosts: ['a'] })).toMatchObject([{ peak: null }])
  store.keepOnly(usualRetention, start + 800 * 86_400)
  expect(store.reader.states({ from: 0, to: 4e9 })).toEqual([])
  store.close()
})
