import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiParameter, JsonSchema } from '../../../src/server/document/document.ts'
import { filled, neededBody, operationsOf, valuesFor, type Listed } from './operations.ts'
import { ada, administrator, manager, TwoPeople } from './two-people.ts'

let people: TwoPeople
let operations: readonly Listed[]
beforeAll(async () => {
  people = new TwoPeople()
  operations = operationsOf(await people.document()).filter(({ id }) => id !== 'signOut')
})
afterAll(() => people[Symbol.dispose]())

const nastyTexts = [
  ['', '0', '-1', '1e309', 'NaN', 'null', '[]', '{}', 'true', '%00', '\0', '..', '../../etc'],
  ["' OR 1=1 --", '*', '%', '_', '9'.repeat(40), 'a'.repeat(5000), '2026-02-30', 'last monday'],
  ['workflow:', 'name:', 'tag:,', ',,,', 'W10=', '💥', '\u{d800}', 'bytes=0-'],
].flat()

const nasty = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...nastyTexts))

/** A value that a schema allows, as text. */
function right(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map(String))
  const [type] = [schema.type ?? 'string'].flat()
  const { minimum: min = 0, maximum: max = 1000 } = schema
  if (type === 'integer') return fc.integer({ min, max: Math.min(max, 2 ** 31 - 1) }).map(String)
  if (type === 'number') return fc.double({ min, max, noNaN: true }).map(String)
  if (type === 'array' && schema.items !== undefined)
    return fc.array(right(schema.items), { maxLength: 3 }).map((all) => all.join(','))
  return fc.oneof(fc.constantFrom('7d', '1700000000', 'last', 'train', 'ada'), nasty)
}

const parameter = ({ name, schema }: ApiParameter): fc.Arbitrary<string> =>
  fc
    .oneof({ weight: 3, arbitrary: right(schema) }, { weight: 2, arbitrary: nasty })
    .map((value) => `${name}=${encodeURIComponent(value.toWellFormed())}`)

/** An address made of what the document says of an operation, and of what it does not. */
function address({ id, path, operation }: Listed): fc.Arbitrary<string> {
  const given = operation.parameters ?? []
  const known = valuesFor(id, people.ada)
  const names = given.filter((one) => one.in === 'path')
  const values = fc.record(
    Object.fromEntries(
      names.map(({ name }) => [
        name,
        fc.oneof(
          { weight: 3, arbitrary: fc.constant(known[name] ?? name) },
          { weight: 1, arbitrary: nasty.map((value) => value.toWellFormed() || 'x') },
        ),
      ]),
    ),
  )
  const query = fc
    .subarray(given.filter((one) => one.in === 'query').map(parameter))
    .chain((chosen) => fc.tuple(...chosen))
  return fc
    .tuple(values, query)
    .map(
      ([filling, pairs]) =>
        `${filled(path, filling)}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
    )
}

const body = (id: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant(JSON.stringify(neededBody[id] ?? {})),
    fc.json({ maxDepth: 3 }),
    nasty,
    fc
      .record({ command: fc.anything(), name: fc.anything(), spec: nasty, file_name: nasty })
      .map((value) => JSON.stringify(value) ?? ''),
  )

const headers = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record({
      range: fc.constantFrom(
        'bytes=0-3',
        'bytes=-5',
        'bytes=99-',
        'bytes=5-2',
        'lines=1',
        'bytes=-0',
      ),
      'last-event-id': fc.constantFrom('x', '0', '999999', 'boot.1'),
      accept: fc.constantFrom('text/plain', 'application/openmetrics-text', '*/*', ''),
    }),
  },
)

describe('requests made from the document', () => {
  it('get only answers that it describes, and never a fault', async () => {
    const request = fc.constantFrom(...operations).chain((operation) =>
      fc.record({
        operation: fc.constant(operation),
        address: address(operation),
        body: body(operation.id),
        headers,
        viewer: fc.constantFrom(administrator, ada, manager, null),
      }),
    )
    await fc.assert(
      fc.asyncProperty(request, async ({ operation: { operation, method }, ...asked }) => {
        const isPost = method === 'post'
        const answer = await people.ask(asked.address, asked.viewer, {
          method: method.toUpperCase(),
          headers: asked.headers,
          ...(isPost ? { body: asked.body } : {}),
        })
        const isStream =
          answer.headers.get('content-type')?.startsWith('text/event-stream') === true
        const text = isStream ? await answer.body?.cancel() : await answer.text()
        expect(people.faults).toEqual([])
        expect(Object.keys(operation.responses)).toContain(String(answer.status))
        if (answer.status < 400) return
        expect(answer.headers.get('content-type')).toBe('application/problem+json')
        const { status, detail } = JSON.parse(String(text)) as { status: number; detail: string }
        expect(status).toBe(answer.status)
        expect(detail).not.toBe('')
      }),
      { numRuns: 500 },
    )
  })
})
