import type { Usage } from '../../../model/usage.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { usageText } from './usage-text.ts'

/**
 * The usage of an attempt as it is stored, for SQL. It has a table of its own: with it a row of `attempt` fills a page, and
 * whoever goes through 100,000 of them reads as many pages. Builds that wrote version 4 put it into the row itself, and one
 * that still runs does so after the file was upgraded.
 */
export const storedUsage = `
  coalesce(attempt.usage, (SELECT usage FROM attempt_usage WHERE attempt_id = attempt.id))`

const keep = 'INSERT OR REPLACE INTO attempt_usage (attempt_id, usage) VALUES (?, ?)'

/** Keeps it in place of an earlier one. */
export function keepUsage(connection: Connection, attemptId: number, usage: Usage): void {
  connection.run(keep, attemptId, usageText(usage))
}
