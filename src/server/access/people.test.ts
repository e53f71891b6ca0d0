import { describe, expect, it } from 'vitest'
import { maySee } from './may-see.ts'
import { isUserName, viewerFor } from './people.ts'

const people = {
  administrators: ['ada', 'group:staff'],
  projects: [
    {
      name: 'climate',
      managers: ['bob', 'group:leads'],
      members: ['carol', 'dave'],
      accounts: ['clim'],
    },
    { name: 'ocean', managers: ['bob'], members: ['dave', 'eve'], accounts: [] },
  ],
}

describe('what the configuration lets somebody see', () => {
  it.each([
    ['ada', [], 'administrator', null],
    ['zoe', ['staff'], 'administrator', null],
    ['bob', [], 'manager', ['carol', 'dave', 'eve']],
    ['liz', ['leads'], 'manager', ['carol', 'dave']],
    ['carol', ['clim'], 'user', []],
    // A user who is called as a group is written is not its members, and a group that is called as a user is not that user.
    ['staff', [], 'user', []],
    ['zoe', ['ada'], 'user', []],
  ])('%s of the groups %j: %s', (user, groups, role, users) => {
    expect(viewerFor({ user, groups }, people)).toMatchObject({ user, role, users })
  })

  it('is their own jobs, those of members, and those on accounts', () => {
    const bob = viewerFor({ user: 'bob', groups: [] }, people)
    expect(maySee(bob, { user: 'bob' })).toBe(true)
    expect(maySee(bob, { user: 'eve' })).toBe(true)
    expect(maySee(bob, { user: 'zoe', account: 'clim' })).toBe(true)
    expect(maySee(bob, { user: 'zoe', account: 'other' })).toBe(false)
    expect(maySee(bob, { user: 'zoe', account: null })).toBe(false)
    const carol = viewerFor({ user: 'carol', groups: [] }, people)
    expect(maySee(carol, { user: 'bob' })).toBe(false)
    expect(maySee(carol, { user: 'dave', account: 'clim' })).toBe(false)
  })
})

it.each([
  ['ada', true],
  ['ada@example.org', true],
  ['Ada.Lovelace-1', true],
  ['', false],
  ['ada, bob', false],
  ['ada bob', false],
  ['group:staff', false],
  ['a\u0000b', false],
  ['a\u202eb', false],
  ['x'.repeat(257), false],
])('%j is a name of a user: %s', (text, isOne) => {
  expect(isUserName(text)).toBe(isOne)
})
