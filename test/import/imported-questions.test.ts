import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pastTables } from '../../src/model/past-round.ts'
import { usageKeys, usageMetrics } from '../../src/model/node-usage.ts'
import { hostUptimes } from '../../src/analysis/node/gaps.ts'
import type { NodeReader } from '../../src/store/node/node-reader.ts'
import { openNodeReader, openNodeStore } from '../../src/store/node/open-node.ts'
import { answerTo, asQuestion, questionNames } from '../../src/store/node/questions.ts'
import { nodeJob, nodeRound } from '../node/made-round.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { importFile, nowSeconds } from './import-made.ts'
import { isoTime } from './made-samples.ts'

const yesterday = nowSeconds - 86_400

/** Lines of Sonar that tell nothing of the node: neither its cores nor its cards. */
const plainSamples = (host: string, from: number): string =>
  [0, 300, 600]
    .map((after) =>
      [
        'v=0.11.0',
        `time=${isoTime(from + after)}`,
        `host=${host}`,
        'user=ada',
        'cmd=python3',
        'job=55',
        'pid=555',
        'ppid=1',
        'rssanonkib=1000',
        `cputime_sec=${100 + after}`,
      ].join(','),
    )
    .join('\n')

const everything = [0, 4e9] as const
/** All that can be asked: a question that is not here fails the test. */
const asked: Record<string, readonly (readonly unknown[])[]> = {
  jobs: [[{}], [{ state: 'running' }], [{ state: 'completed' }]],
  usage: usageMetrics.map((metric) => [{ by: usageKeys, metric, from: 0, to: 4e9, offsets: [] }]),
  series: [[{ rowId: 1, seenSeconds: 600 }]],
  states: [[{ from: 0, to: 4e9 }], [{ from: 0, to: 4e9, hosts: ['plain'] }]],
  wall: [[{ from: yesterday - 3600, to: yesterday + 3600, steps: 20 }]],
  hostCurve: [[{ host: 'plain', from: yesterday - 3600, to: yesterday + 3600 }]],
  stretches: [everything, [...everything, 'plain']],
  boots: [[]],
  extents: [[]],
  hours: [[]],
  neighbours: [[...everything, []]],
  wasLooked: [[...everything, []]],
  names: [['user']],
  violations: [[{}]],
  judgedHosts: [[]],
}

describe('imports in another order than that of time', () => {
  let folder = ''
  let db = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
    db = join(folder, 'node.db')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('take the latest of them for the latest, and know nothing of boots', async () => {
    const earlier = plainSamples('plain', yesterday - 2 * 86_400).replaceAll('job=55', 'job=54')
    await importFile('sonar', plainSamples('plain', yesterday), db)
    await importFile('sonar', earlier, db)
    const reader = openNodeReader(db)
    expect(reader.states({ from: 0, to: 4e9 })).toMatchObject([
      { host: 'plain', at: yesterday + 600, epoch: null },
    ])
    const ids = (state: 'running' | 'completed'): string[] =>
      reader.jobs({ state, users: ['ada'] }).map(({ id }) => id.split('@')[0] ?? '')
    expect(ids('running')).toEqual(['55'])
    expect(ids('completed')).toEqual(['54'])
    expect(reader.jobs({ users: ['ada'] }).map(({ isRunning }) => isRunning)).toEqual([true, false])
    const always = { from: 0, to: nowSeconds, shortestGap: 900 }
    const [uptime] = hostUptimes(reader.stretches(0, nowSeconds), reader.boots(), always)
    expect(uptime?.gaps.map(({ cause }) => cause)).toEqual(['unknown', 'open'])
    reader.close()
  })

  it('leave the rounds of an agent their numbers, and its last round the latest', async () => {
    const rounds = [yesterday, yesterday + 60].map((at) =>
      nodeRound(at, [nodeJob('1', 'bob', 1)], { host: 'plain' }),
    )
    const addAll = (numbers: readonly number[]): void => {
      const store = openNodeStore(db)
      expect(rounds.map((round) => store.addRound(round))).toEqual(numbers)
      store.close()
    }
    addAll([1, 2])
    await importFile('sonar', plainSamples('plain', yesterday - 86_400), db)
    const reader = openNodeReader(db)
    expect(reader.states({ from: 0, to: 4e9 })).toMatchObject([{ at: yesterday + 60, cores: 4 }])
    expect(reader.jobs({ state: 'running' })).toMatchObject([{ user: 'bob' }])
    reader.close()
    // The clock was set back: the last round is still the one that came last.
    rounds.splice(0, 2, nodeRound(yesterday - 600, [nodeJob('2', 'cyd', 1)], { host: 'plain' }))
    addAll([3])
    const after = openNodeReader(db)
    expect(after.jobs({ state: 'running' })).toMatchObject([{ user: 'cyd' }])
    expect([...after.livingPasts('plain').keys()]).toEqual([expect.stringMatching(/cyd$/)])
    after.close()
  })
})

describe('a database that was imported from a tool that does not tell of the node', () => {
  let box: Sandbox
  let reader: NodeReader
  beforeAll(async () => {
    box = sandbox()
    await importFile('sonar', plainSamples('plain', yesterday), box.path('node.db'))
    reader = openNodeReader(box.path('node.db'))
  })
  afterAll(() => {
    reader.close()
    box[Symbol.dispose]()
  })

  it.each(questionNames)('answers %s', (ask) => {
    expect(asked[ask]?.length).toBeGreaterThan(0)
    for (const given of asked[ask] ?? []) {
      const question = asQuestion({ ask, with: given })
      if (question === undefined) throw new Error(`not a question: ${ask}`)
      expect(answerTo(reader, question)).toBeDefined()
    }
  })

  it('does not know what the node has', () => {
    expect(reader.states({ from: 0, to: 4e9 })).toMatchObject([
      { host: 'plain', cores: null, gpus: null },
    ])
  })

  it.each(pastTables)('is told again from %s, without what nobody knows', (table) => {
    const query = { host: 'plain', from: yesterday - 7200, to: yesterday + 7200, table }
    const rounds = reader.pastRounds(query)?.rounds ?? []
    expect(rounds.length).toBeGreaterThan(0)
    for (const { node } of rounds) expect(node).toMatchObject({ cores: null, gpus: null })
  })

  it('is shown and judged by the program', async () => {
    const db = join(box.path('own'), 'node.db')
    const now = Date.now() / 1e3
    writeFileSync(box.path('plain.csv'), plainSamples('plain', now - 86_400))
    await box.jobmeter(['import', 'sonar', box.path('plain.csv'), '--db', db])
    const nodes = await box.jobmeter(['nodes', '--db', db])
    expect(nodes).toMatchObject({ code: 0, stderr: '' })
    expect(nodes.stdout).toMatch(/^plain \(– cores, –\), last round/)
    const policies = await box.jobmeter(['policies', 'test', 'cpuhog', '--from', '3d', '--db', db])
    expect(policies).toMatchObject({ code: 0, stderr: '' })
  })
})
