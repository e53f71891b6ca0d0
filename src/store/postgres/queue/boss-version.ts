import { getConstructionPlans, getMigrationPlans } from 'pg-boss'
import type { Statements } from '../connection.ts'
import { TeamError } from '../team-error.ts'

/** pg-boss has a schema of its own. */
export const bossSchema = 'jobmeter_queue'

/** The tables of pg-boss as the version makes them that this build has: in the transaction of whoever runs it. */
export const bossTables = (): string => withoutTransaction(getConstructionPlans(bossSchema))

/** The version of the tables that this build needs. pg-boss tells it only to the tables that it makes. */
export function neededBossVersion(): number {
  const version = /version\(version\) VALUES \('(\d+)'\)/.exec(
    getConstructionPlans(bossSchema),
  )?.[1]
  if (version === undefined) throw new Error('pg-boss does not say of which version its tables are')
  return Number(version)
}

async function bossVersion(statements: Statements): Promise<number> {
  const [row] = await statements.rows(`SELECT version FROM ${bossSchema}.version`)
  return Number(row?.['version'])
}

/** Brings the tables of pg-boss to what this build needs, by its own plan; answers the version that they had. */
export async function migrateBoss(statements: Statements): Promise<number> {
  const before = await bossVersion(statements)
  if (before < neededBossVersion())
    await statements.run(withoutTransaction(getMigrationPlans(bossSchema, before)))
  return before
}

/** Why the queue cannot be used with the tables that pg-boss has there; undefined where it can. */
export async function otherBoss(
  statements: Statements,
  address: string,
): Promise<TeamError | undefined> {
  const found = await bossVersion(statements)
  const needed = neededBossVersion()
  if (found === needed) return undefined
  const what = `the tables of the queue are of version ${found} of pg-boss`
  return found > needed
    ? new TeamError(
        'newer',
        address,
        `${what}; this jobmeter knows up to ${needed}. Use a newer jobmeter`,
      )
    : new TeamError(
        'older',
        address,
        `${what}, and this jobmeter needs ${needed}. An administrator upgrades them with \`jobmeter team init\``,
      )
}

/**
 * As a part of an open transaction. Indexes are built while the table is locked then: it holds only what waits and runs, and
 * nobody can use the queue in between anyway.
 */
const withoutTransaction = (plan: string): string =>
  plan
    .replace(/^\s*BEGIN;/, '')
    .replace(/^\s*COMMIT;\s*$/m, '')
    .replaceAll('INDEX CONCURRENTLY', 'INDEX')
