import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passwordFor } from './password-lines.ts'

const asked = { host: 'db.lab', port: 5432, database: 'jobs', user: 'ada' }

/** A few values that meet often, with what has a meaning in the file, and any others. */
const value = fc.oneof(
  fc.constantFrom('db.lab', '5432', 'jobs', 'ada', '*', 'a:b', 'c\\d', '#e', ':', '\\'),
  fc.string({ minLength: 1 }).filter((text) => !/[\r\n]/.test(text)),
)

/** A value as it stands in the file; characters that need no backslash may have one. */
const written = (text: string, others: readonly boolean[]): string =>
  Array.from(text)
    .map((character, index) => {
      const isSpecial = character === ':' || character === '\\'
      const isStarAlone = text === '*'
      return isSpecial || isStarAlone || others[index] === true ? `\\${character}` : character
    })
    .join('')

const field = fc.oneof(
  fc.constant({ value: undefined, text: '*' }),
  fc
    .tuple(value, fc.array(fc.boolean()))
    .map(([text, others]) => ({ value: text, text: written(text, others) })),
)
const entry = fc
  .tuple(field, field, field, field, value, fc.array(fc.boolean()))
  .map(([host, port, database, user, password, others]) => ({
    fields: [host, port, database, user].map((each) => each.value),
    password,
    line: `${[host, port, database, user].map((each) => each.text).join(':')}:${written(password, others)}`,
  }))
  .filter(({ line }) => !line.startsWith('#'))

describe('a file of passwords', () => {
  it('gives the password of the first line that fits, whatever names and passwords are like', () => {
    const connection = fc.record({ host: value, port: fc.nat(), database: value, user: value })
    fc.assert(
      fc.property(
        fc.array(entry),
        fc.oneof(connection, fc.constant(asked)),
        fc.constantFrom('\n', '\r\n', '\n\n', '\n# a comment\n', '\n*:*\n'),
        (entries, to, between) => {
          const sought = [to.host, String(to.port), to.database, to.user]
          const fits = entries.find(({ fields }) =>
            fields.every((each, index) => each === undefined || each === sought[index]),
          )
          const text = `${entries.map(({ line }) => line).join(between)}${between}`
          expect(passwordFor(to, text)).toBe(fits?.password)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['a colon ends the password', '*:*:*:*:se:cret', 'se'],
    ['a line of too few fields is passed over', 'db.lab:5432:jobs:secret\n*:*:*:*:other', 'other'],
    ['a comment is passed over', '#db.lab:5432:jobs:ada:secret', undefined],
    ['an empty password is none', 'db.lab:5432:jobs:ada:\n*:*:*:*:other', undefined],
    ['names are compared as a whole', 'db.laboratory:*:*:*:one\ndb:*:*:*:two', undefined],
  ])('%s', (_, text, password) => {
    expect(passwordFor(asked, text)).toBe(password)
  })

  it('calls sockets of the usual place localhost', () => {
    const here = { ...asked, host: '/var/run/postgresql' }
    expect(passwordFor(here, 'localhost:*:*:*:secret')).toBe('secret')
    expect(passwordFor({ ...asked, host: '/tmp' }, 'localhost:*:*:*:secret')).toBeUndefined()
  })
})
