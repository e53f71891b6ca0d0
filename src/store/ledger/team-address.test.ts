import { describe, expect, it } from 'vitest'
import { shownAddress } from './team-address.ts'

describe('the address of a team ledger', () => {
  it.each([
    ['postgres://ada:secret@db:5432/jobs', 'postgres://ada@db:5432/jobs'],
    ['postgres://ada:se@cr:et/@db/jobs', 'postgres://ada@db/jobs'],
    ['postgres://:secret@db/jobs', 'postgres://@db/jobs'],
    ['postgres://db/jobs', 'postgres://db/jobs'],
    [
      'postgres://ada@db/jobs?password=secret&sslmode=require',
      'postgres://ada@db/jobs?sslmode=require',
    ],
    ['postgres://ada@db/jobs?sslpassword=secret', 'postgres://ada@db/jobs'],
    ['postgresql:///jobs?host=/run/postgresql', 'postgresql:///jobs?host=/run/postgresql'],
  ])('is shown without its password: %s', (address, shown) => {
    expect(shownAddress(address)).toBe(shown)
  })
})
