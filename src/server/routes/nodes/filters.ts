import { names, when, zone } from '../query.ts'

type Names = readonly string[] | undefined

/** Whose, as the questions to nodes have it. */
export const whoseIn = (query: {
  readonly user?: Names
  readonly host?: Names
  readonly account?: Names
  readonly command?: Names
}) => ({
  users: query.user ?? [],
  hosts: query.host ?? [],
  accounts: query.account ?? [],
  commands: query.command ?? [],
})

export const span = {
  from: when('from then on'),
  to: when('up to then'),
  zone,
} as const

export const whose = {
  user: names('only of this user'),
  host: names('only on this host'),
  account: names('only of this account of Slurm'),
  command: names('only commands that contain this'),
} as const
