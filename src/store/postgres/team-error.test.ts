import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { asTeamError } from './team-error.ts'

const address = 'postgres://ada:secret@db.lab/jobs'
const told = (error: unknown) => asTeamError(error, address)

describe('what is wrong with a team ledger', () => {
  it('is the network where the network says so', async () => {
    const socket = connect('/nowhere/.s.PGSQL.5432')
    const [missing] = (await once(socket, 'error').catch((error: unknown) => [error])) as [Error]
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const cut = [
      missing,
      refused,
      new AggregateError([refused, refused]),
      Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
      new Error('Connection terminated unexpectedly'),
      new Error('Query read timeout'),
      Object.assign(new Error('the database system is starting up'), { code: '57P03' }),
    ]
    for (const error of cut) expect(told(error).code, error.message).toBe('unreachable')
  })

  it('is told in its own words where it is something else', () => {
    const bug = told(new TypeError("Cannot read properties of undefined (reading 'outcome')"))
    expect(bug.code).toBe('failed')
    expect(bug.message).toBe(
      "postgres://ada@db.lab/jobs: failed (Cannot read properties of undefined (reading 'outcome'))",
    )
    expect(
      told(Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO' })).code,
    ).toBe('failed')
    expect(told(Object.assign(new Error('division by zero'), { code: '22012' })).message).toBe(
      'postgres://ada@db.lab/jobs: failed (division by zero). The log of the server may say more',
    )
  })
})
