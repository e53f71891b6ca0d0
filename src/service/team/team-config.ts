import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { whyNot } from '../../model/reading.ts'
import { isTeamAddress, teamWord } from '../../store/ledger/location.ts'
import { makePrivateDirectories } from '../../store/private-file.ts'
import { readSecretText } from '../../system/secret-file.ts'
import type { System } from '../../system/system.ts'
import { usualConfigPath, type Environment } from '../config-path.ts'
import { UserError } from '../user-error.ts'

/** A ledger that has joined a team. */
export interface Joined {
  /** The path of the ledger. */
  readonly ledger: string
  /** Of the team's database; it may hold a password. */
  readonly address: string
}

const file = z.object({
  version: z.literal(1),
  joined: z.array(z.object({ ledger: z.string(), address: z.string() })),
})

/** For the eyes of its owner: addresses may hold passwords. */
const teamConfigPath = (system: System, environment: Environment): string =>
  usualConfigPath(system, environment, 'team.json')

/** The address of the team that a ledger has joined; undefined where it has joined none. */
export function joinedTeam(
  system: System,
  environment: Environment,
  ledger: string,
): string | undefined {
  const path = resolve(ledger)
  return readJoined(system, environment).find((joined) => joined.ledger === path)?.address
}

/**
 * The team that a command means which is not told a team by its own words: that of $JOBMETER_TEAM, else the one that the ledger
 * has joined; undefined where there is none.
 */
export function meantTeam(
  system: System,
  environment: Environment,
  ledger: string,
): string | undefined {
  const named = environment['JOBMETER_TEAM']
  if (!named || named === teamWord) return joinedTeam(system, environment, ledger)
  if (isTeamAddress(named)) return named
  throw new UserError(
    `$JOBMETER_TEAM names ${named}, which is not the address of a database, such as postgres://user@host/database`,
    'usage',
  )
}

/** The same for whoever cannot go on without one. */
export function neededTeam(system: System, environment: Environment, ledger: string): string {
  const address = meantTeam(system, environment, ledger)
  if (address !== undefined) return address
  throw new UserError(`${ledger} has not joined a team: see jobmeter team join --help`)
}

/** Notes that a ledger joined a team, or left it. */
export function keepJoined(
  system: System,
  environment: Environment,
  ledger: string,
  address: string | undefined,
): void {
  const path = resolve(ledger)
  const others = readJoined(system, environment).filter((joined) => joined.ledger !== path)
  const joined = address === undefined ? others : [...others, { ledger: path, address }]
  const bytes = Buffer.from(`${JSON.stringify({ version: 1, joined }, null, 2)}\n`)
  const config = teamConfigPath(system, environment)
  makePrivateDirectories(dirname(config))
  const saved = system.files.saveAnew(config, [bytes], 'own')
  if (saved.kind !== 'ok') throw new UserError(whyNot(saved), 'machine')
}

function readJoined(system: System, environment: Environment): readonly Joined[] {
  const path = teamConfigPath(system, environment)
  if (system.files.isMissing(path)) return []
  const text = readSecretText(path)
  if (text.kind !== 'ok') throw new UserError(whyNot(text))
  const parsed = file.safeParse(jsonIn(text.value))
  if (!parsed.success)
    throw new UserError(`${path} is damaged, or of a newer jobmeter: remove it, and join again`)
  return parsed.data.joined
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
