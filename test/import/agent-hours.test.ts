import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openNodeStore } from '../../src/store/node/open-node.ts'
import { dump, importFile, nowSeconds } from './import-made.ts'
import { madeSamples, sampleJson } from './made-samples.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const made = {
  hosts: 1,
  users: ['ada'],
  commands: ['python3'],
  startSeconds: nowSeconds - 86_400,
  intervalSeconds: 300,
  samples: 36,
  jobs: 2,
  seed: 3,
}
const content = [...madeSamples(made, 0)].map(sampleJson).join('\n')

describe('an import beside the agent', () => {
  it('leaves hours alone in which the agent looked itself', async () => {
    const db = join(folder, 'node.db')
    const store = openNodeStore(db)
    const use = { readBytes: 0, writeBytes: 0, gpuSeconds: null, joules: null, cpuSeconds: 10 }
    const levels = { memoryBytes: 0, gpuMemoryBytes: null, processes: 1, threads: 1, zombies: 0 }
    const node = {
      ...use,
      ...levels,
      cores: 8,
      memoryTotalBytes: 2 ** 30,
      swapUsedBytes: 0,
      gpus: 0,
      gpuMemoryTotalBytes: null,
      load: 1,
      ioWaitSeconds: 0,
      netReceivedBytes: 0,
      netSentBytes: 0,
      coreSeconds: [],
    }
    // In the second of the three hours.
    const at = made.startSeconds + 3600 + 1800
    const round = { host: 'node00', epoch: 'b', at, seconds: 60, node, jobs: [], lostRecords: 0 }
    store.addRound(round)
    store.close()
    const summary = await importFile('sonar', content, db)
    expect(summary).toMatchObject({ records: 36, added: 24, known: 12 })
    const { node_hour: hours } = dump(db)
    expect(hours).toHaveLength(3)
    expect(hours).toContainEqual(expect.objectContaining({ span_ms: 60_000, cpu_us: 10_000_000 }))
    const before = dump(db)
    expect(await importFile('sonar', content, db)).toMatchObject({ added: 0, known: 36 })
    expect(dump(db)).toEqual(before)
  })

  it('keeps roll-ups of all hours, and single samples only of the last days', async () => {
    const db = join(folder, 'node.db')
    const old = { ...made, startSeconds: nowSeconds - 300 * 86_400 }
    const both = [...madeSamples(old, 0)].map(sampleJson).concat(content.split('\n'))
    await importFile('sonar', both.join('\n'), db)
    const { node_hour: hours, round: rounds, node_5m: fives } = dump(db)
    expect(hours).toHaveLength(6)
    expect(rounds).toHaveLength(36)
    expect(fives).toHaveLength(36)
  })
})
