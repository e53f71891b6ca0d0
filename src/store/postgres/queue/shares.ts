import type { QueueShare } from '../../../model/queue.ts'
import type { Statements } from '../connection.ts'

/** The weight of a user, or all weights that somebody has changed. */
export async function queueShares(
  statements: Statements,
  user: string | undefined,
): Promise<readonly QueueShare[]> {
  const rows = await statements.rows(
    `SELECT "user", weight FROM queue_share WHERE ?::text IS NULL OR "user" = ? ORDER BY "user"`,
    [user ?? null, user ?? null],
  )
  const shares = rows.map((row) => ({ user: String(row['user']), weight: Number(row['weight']) }))
  return user !== undefined && shares.length === 0 ? [{ user, weight: 1 }] : shares
}

/** For administrators. The weight that everybody has is not kept. */
export async function changeShare(
  statements: Statements,
  user: string,
  weight: number,
): Promise<void> {
  if (weight === 1) await statements.run('DELETE FROM queue_share WHERE "user" = ?', [user])
  else
    await statements.run(
      `INSERT INTO queue_share ("user", weight) VALUES (?, ?)
       ON CONFLICT ("user") DO UPDATE SET weight = excluded.weight`,
      [user, weight],
    )
}
