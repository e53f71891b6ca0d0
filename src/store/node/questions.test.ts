import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeJob, nodeRound } from '../../../test/node/made-round.ts'
import { openNodeReader, openNodeStore } from './open-node.ts'
import { answerTo, asQuestion } from './questions.ts'

const right = [
  { ask: 'jobs', with: [{ users: ['ada'], from: 0, to: 4e9, limit: 3, state: 'running', pid: 7 }] },
  {
    ask: 'usage',
    with: [
      {
        by: ['user', 'hour'],
        metric: 'cpu',
        from: 0,
        to: 4e9,
        offsets: [{ from: 0, offsetSeconds: 3600 }],
      },
    ],
  },
  { ask: 'series', with: [{ rowId: 1, seenSeconds: 0 }] },
  { ask: 'stretches', with: [0, 4e9] },
  { ask: 'boots', with: [] },
  { ask: 'neighbours', with: [0, 4e9, ['node1']] },
  { ask: 'names', with: ['user'] },
]

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('1; DROP TABLE job', "' OR 1=1 --", -1, 1e300, 0.5, null, [], {}, [[]]),
)

/** What is sent with one value in it, at any depth, replaced, removed or added. */
function changed(value: unknown, path: readonly number[], by: unknown, key: string): unknown {
  const [at, ...further] = path
  if (at === undefined || typeof value !== 'object' || value === null) return by
  if (Array.isArray(value))
    return at % (value.length + 1) === value.length
      ? [...(value as unknown[]), by]
      : value.map((one: unknown, place) =>
          place === at % (value.length + 1) ? changed(one, further, by, key) : one,
        )
  const entries = Object.entries(value)
  const place = at % (entries.length + 1)
  if (place === entries.length) return { ...value, [key]: by }
  return Object.fromEntries(
    entries.map(([name, one], index) => [
      name,
      index === place ? changed(one, further, by, key) : one,
    ]),
  )
}

describe('a question that somebody sends', () => {
  it.each(right)('is taken where it is right ($ask)', (sent) => {
    expect(asQuestion(sent)).toEqual(sent)
  })

  it.each([
    { ask: 'close', with: [] },
    { ask: 'path', with: [] },
    { ask: 'constructor', with: [] },
    { ask: 'jobs', with: [] },
    { ask: 'jobs', with: [{}, {}] },
    { ask: 'jobs', with: [{ limit: '1' }] },
    { ask: 'jobs', with: [{ limit: 1e300 }] },
    { ask: 'jobs', with: [{ viewer: 'bob' }] },
    { ask: 'jobs', with: [{ users: 'bob' }] },
    { ask: 'usage', with: [{ by: ['user'], metric: 'toString', from: 0, to: 1, offsets: [] }] },
    {
      ask: 'usage',
      with: [
        { by: ['user'], metric: 'cpu', from: 0, to: 1, offsets: [{ from: 0, offsetSeconds: '0' }] },
      ],
    },
    { ask: 'names', with: ['viewer'] },
    { ask: 'names', with: ['user; DROP TABLE job'] },
    { ask: 'jobs', with: [{ order: 'random()' }] },
    { ask: 'stretches', with: [0] },
    { ask: 'stretches', with: [0, 1, 2], more: 1 },
    JSON.parse('{"ask":"jobs","with":[{"__proto__":{"limit":1}}]}'),
  ])('is refused where it is not (%j)', (sent) => {
    expect(asQuestion(sent)).toBeUndefined()
  })

  it('is refused or answered, however it was changed, and shows nothing of others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
    const path = join(folder, 'node.db')
    const store = openNodeStore(path)
    store.addRound(
      nodeRound(1_772_409_660, [
        nodeJob('1', 'ada', 1),
        nodeJob('2', 'bob', 1, { command: 'bobs' }),
      ]),
    )
    store.close()
    const reader = openNodeReader(path, { users: ['ada'] })
    let taken = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...right),
        fc.array(fc.nat(9), { maxLength: 6 }),
        odd,
        fc.string(),
        (sent, way, by, key) => {
          const question = asQuestion(
            JSON.parse(JSON.stringify(changed(sent, way, by, key) ?? null)),
          )
          if (question === undefined) return
          taken += 1
          expect(JSON.stringify(answerTo(reader, question))).not.toContain('bob')
        },
      ),
      { numRuns: 3000 },
    )
    expect(taken).toBeGreaterThan(20)
    reader.close()
    rmSync(folder, { recursive: true })
  })
})
