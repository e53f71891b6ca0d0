import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rules } from '../../../src/server/access/rules.ts'
import type { ApiDocument } from '../../../src/server/document/document.ts'
import { SchemaCheck, type Schema } from './json-schema.ts'
import { filled, neededQuery, operationsOf, valuesFor } from './operations.ts'
import { administrator, TwoPeople } from './two-people.ts'

let people: TwoPeople
let document: ApiDocument
beforeAll(async () => {
  people = new TwoPeople()
  document = await people.document()
})
afterAll(() => people[Symbol.dispose]())

const published = (): Schema =>
  JSON.parse(
    readFileSync(
      new URL('../../fixtures/openapi/openapi-3.1-schema.json', import.meta.url),
      'utf8',
    ),
  ) as Schema

describe('the OpenAPI document', () => {
  it('is right by the published schema of OpenAPI 3.1', () => {
    const check = new SchemaCheck(published(), { isClosed: false })
    expect(check.check(document)).toEqual([])
    const broken = structuredClone(document) as unknown as Record<string, unknown>
    broken['pathz'] = {}
    delete broken['info']
    expect(check.check(broken)).toHaveLength(2)
  })

  it('has an operation for each rule, and a rule for each operation', () => {
    expect(
      operationsOf(document)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(Object.keys(rules).toSorted())
  })

  it('says of each operation what it needs', () => {
    for (const { id, operation } of operationsOf(document)) {
      const { security } = operation as unknown as { security: object[] }
      expect(security.length > 0, id).toBe(rules[id]?.serves !== 'open')
    }
  })
})

describe('the readable page', () => {
  it('tells of every operation, with nothing that the browser must not run', async () => {
    const answer = await people.ask('/api', null)
    const page = await answer.text()
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const { id, path } of operationsOf(document)) {
      expect(page).toContain(`id="${id}"`)
      expect(page).toContain(`<code>${path}</code>`)
    }
    expect(page).not.toMatch(/<script|<style|style=|onclick=/)
    expect(page).toContain('curl -N -H &quot;Authorization: Bearer $TOKEN&quot;')
    expect((await people.ask('/api/style.css', null)).headers.get('content-type')).toContain('css')
  })
})

/** These answer something other than JSON, or end a session; they are tried elsewhere. */
const apart = new Set(['streamEvents', 'signIn', 'signOut', 'beginOidcSignIn', 'endOidcSignIn'])

describe('every answer', () => {
  it('is what the document says of it, and no key is missing there', async () => {
    const check = new SchemaCheck(document as unknown as Schema, { isClosed: true })
    let answered = 0
    for (const { id, path, method, operation } of operationsOf(document)) {
      if (method !== 'get' || apart.has(id)) continue
      const query = neededQuery[id]?.(people.ada) ?? ''
      const address = `${filled(path, valuesFor(id, people.ada))}${query}`
      const answer = await people.ask(address, administrator)
      const described = operation.responses[String(answer.status)]
      expect(answer.status, `${id} ${address}`).toBe(200)
      const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
      expect(Object.keys(described?.content ?? {}), id).toContain(type)
      if (type !== 'application/json') continue
      const schema = described?.content?.[type]?.schema as unknown as Schema
      expect(check.check(await answer.json(), schema), id).toEqual([])
      answered += 1
    }
    expect(answered).toBe(46)
    expect(people.faults).toEqual([])
  })

  it('is not sent again to who has it', async () => {
    const first = await people.ask('/api/v1/policies', administrator)
    const tag = first.headers.get('etag') ?? ''
    const again = await people.ask('/api/v1/policies', administrator, {
      headers: { 'if-none-match': tag },
    })
    expect([first.status, again.status, await again.text()]).toEqual([200, 304, ''])
  })

  it('is packed for who takes it so, if it is long', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const long = await people.ask('/api/v1/policies', administrator, { headers })
    expect(long.headers.get('content-encoding')).toBe('gzip')
    const short = await people.ask('/api/v1/me', administrator, { headers })
    expect(short.headers.get('content-encoding')).toBeNull()
  })
})
