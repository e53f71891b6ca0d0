import type { PoolClient } from 'pg'
import { types } from 'pg'
import { shownAddress } from '../../ledger/team-address.ts'
import type { Asking } from '../../node/asking.ts'
import { postgresNodes } from '../../node/dialect.ts'
import { nodeAskings } from '../../node/node-askings.ts'
import { nodeQuestions, type NodeQuestions } from '../../node/node-questions.ts'
import type { NodeViewer } from '../../node/viewer.ts'
import { SoundRows } from '../../sound-rows.ts'
import type { Row } from '../../sqlite/row.ts'
import type { Database } from '../connection.ts'
import { readError } from '../read/read-error.ts'

/**
 * Asks what agents sent to a team. With a viewer, who must be let see everything to name one, nothing that is not the
 * viewer's can be read; without, what the role that asks may see. `address`: of the team. `onProblem` hears of rows that
 * cannot be read, and are passed over.
 */
export function nodesOfTeam(
  database: Database,
  viewer: NodeViewer | null,
  address: string,
  onProblem: (problem: string) => void = () => {},
): NodeQuestions {
  const askings = nodeAskings(postgresNodes)
  const path = shownAddress(address)
  const tell = (problem: string | undefined): void => {
    if (problem !== undefined) onProblem(problem)
  }
  const sees = viewer === null ? '' : JSON.stringify({ accounts: [], ...viewer })
  return nodeQuestions(path, (name, given) => {
    const ask = askings[name] as (...given: unknown[]) => Asking<unknown>
    const soundOf: SoundOf = (rows, make) => {
      const sound = new SoundRows(make)
      for (const row of rows) sound.take(row)
      tell(sound.problem(path))
      return sound.made
    }
    return answerInTime(database, sees, ask(...given), soundOf).catch((error: unknown) => {
      throw readError(error, address)
    })
  })
}

type SoundOf = (rows: readonly Row[], make: (row: Row) => unknown) => readonly unknown[]

/** All statements of a question see the same state. */
async function answerInTime<T>(
  database: Database,
  sees: string,
  asking: Asking<T>,
  soundOf: SoundOf,
): Promise<T> {
  return database.transaction(async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    const settings = `SELECT set_config('search_path', 'jobmeter_nodes', true),
      set_config('jobmeter.node_viewer', $1, true)`
    await client.query(settings, [sees])
    let step = asking.next()
    while (step.done !== true) {
      const { sql, values, make } = step.value
      const rows = await rowsOf(client, sql, values)
      step = asking.next(soundOf(rows, make))
    }
    return step.value
  })
}

async function rowsOf(
  client: PoolClient,
  sql: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const text = numberedByPlace(sql)
  return (await client.query<Row>({ text, values: [...values], types: asSqlite })).rows
}

/** `?2` becomes `$2`; each `?` without a number the next one. */
function numberedByPlace(sql: string): string {
  let count = 0
  return sql.replace(/\?(\d*)/g, (_, place: string) => `$${place || (count += 1)}`)
}

const boolean = 16
const bigint = 20
const numeric = 1700

/** Whole numbers and their sums as numbers, and what is true as 1. */
const asSqlite = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === bigint || oid === numeric) return Number
    if (oid === boolean) return (value: string) => (value === 't' ? 1 : 0)
    return types.getTypeParser(oid, format) as (value: string) => unknown
  },
} as typeof types
