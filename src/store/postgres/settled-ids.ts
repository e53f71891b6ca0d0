import type { Statements } from './connection.ts'

/*
 * Several write to a team ledger at once. An attempt gets its id before others can see it: who has seen 12 may see 11 only
 * later. Whoever adds attempts therefore says first, for as long as his transaction lasts, after which id his own come; who
 * goes through attempts by their ids stops before them.
 */

/** Advisory locks with this number are such words: the other half of their key is the id. */
const announcement = 0x6a6f6269

const lastGiven = 'SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM attempt_number'

/** To be said in a transaction, before its first attempt gets its id. Keeps nobody waiting. */
export async function announceAttempts(statements: Statements): Promise<void> {
  // Half a key has 32 bits. Ids are compared by how far they are behind the newest one, which is never so far.
  await statements.rows(
    `SELECT pg_advisory_xact_lock_shared(${announcement}, ((${lastGiven}) & 2147483647)::integer)`,
  )
}

/** The highest id with which no attempt can come any more. What is asked for up to it is to be asked for after this. */
export async function settledAttemptId(statements: Pick<Statements, 'rows'>): Promise<number> {
  const [row] = await statements.rows(`SELECT (${lastGiven}) AS id`)
  const newest = Number(row?.['id'] ?? 0)
  const held = await statements.rows(
    `SELECT max((? - objid::bigint) & 2147483647) AS behind FROM pg_locks
     WHERE locktype = 'advisory' AND classid = ${announcement} AND objsubid = 2
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [newest],
  )
  return newest - Number(held[0]?.['behind'] ?? 0)
}
