import { describe, expect, it } from 'vitest'
import { isTeamLedger, ledgerPath } from './location.ts'

const everything = { JOBMETER_DB: '/env/ledger.db', XDG_STATE_HOME: '/state' }

describe('ledgerPath', () => {
  it('takes --db before all else', () => {
    expect(ledgerPath(everything, 'mine.db', '/home/ada')).toBe('mine.db')
  })

  it('takes JOBMETER_DB before the XDG state directory', () => {
    expect(ledgerPath(everything, undefined, '/home/ada')).toBe('/env/ledger.db')
  })

  it('writes to a file where JOBMETER_DB names the ledger of a team', () => {
    const environment = { JOBMETER_DB: 'postgres://db/jobs', XDG_STATE_HOME: '/state' }
    expect(ledgerPath(environment, undefined, '/home/ada')).toBe('/state/jobmeter/ledger.db')
  })

  it('takes the XDG state directory', () => {
    expect(ledgerPath({ XDG_STATE_HOME: '/state' }, undefined, '/home/ada')).toBe(
      '/state/jobmeter/ledger.db',
    )
  })

  it.each([undefined, '', 'state', './state'])('passes over XDG_STATE_HOME=%s', (state) => {
    expect(ledgerPath({ XDG_STATE_HOME: state }, undefined, '/home/ada')).toBe(
      '/home/ada/.local/state/jobmeter/ledger.db',
    )
  })

  it('counts empty values as none', () => {
    expect(ledgerPath({ JOBMETER_DB: '' }, '', '/home/ada')).toBe(
      '/home/ada/.local/state/jobmeter/ledger.db',
    )
  })
})

describe('the address of a team ledger', () => {
  it.each(['team', 'postgres://db/jobs', 'postgresql://ada@db:5432/jobs?sslmode=require'])(
    'is told from a file: %s',
    (address) => {
      expect(isTeamLedger(address)).toBe(true)
    },
  )

  it.each([
    undefined,
    '',
    './team',
    'postgres',
    '/var/postgres://x',
    'ledger.db',
    './postgres://x',
  ])('is not %j', (path) => {
    expect(isTeamLedger(path)).toBe(false)
  })
})
