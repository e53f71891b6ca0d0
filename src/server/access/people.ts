import type { PeopleConfig } from '../config/server-config.ts'
import { ownerOfAll, plainUser, type Viewer } from './viewer.ts'

/** Somebody as whoever signed them in knows them. */
export interface Person {
  readonly user: string
  readonly groups: readonly string[]
}

/** A name that records, the configuration and the log can have. */
export const isUserName = (text: string): boolean => /^[^\p{C}\s,:]{1,256}$/u.test(text)

/** What the configuration lets somebody see. */
export function viewerFor({ user, groups }: Person, people: PeopleConfig): Viewer {
  const names = new Set([user, ...groups.map((group) => `group:${group}`)])
  const isNamedIn = (list: readonly string[]): boolean => list.some((name) => names.has(name))
  if (isNamedIn(people.administrators)) return ownerOfAll(user)
  const managed = people.projects.filter(({ managers }) => isNamedIn(managers))
  if (managed.length === 0) return plainUser(user)
  return {
    ...plainUser(user),
    role: 'manager',
    users: [...new Set(managed.flatMap(({ members }) => members))],
    accounts: [...new Set(managed.flatMap(({ accounts }) => accounts))],
  }
}
