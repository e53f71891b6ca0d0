import { fiveMinutesMs, hourMs } from '../buckets.ts'

const all = (part: Part, place: string, table: string): string =>
  `INSERT OR IGNORE INTO unsent SELECT '${part}', host_id, ${place}, turn FROM ${table}, sending;`

/** Marks everything, for a team that has nothing of it. */
export const markAll = [
  all('five', 'at_ms', 'node_5m'),
  all('five', `(at_ms - 1) / ${fiveMinutesMs} * ${fiveMinutesMs}`, 'round'),
  all('hour', 'at_ms', 'node_hour'),
  all('hour', 'at_ms', 'usage_hour'),
  all('hour', `(last_ms - 1) / ${hourMs} * ${hourMs}`, 'job'),
  all('job', 'id', 'job'),
  all('finding', 'id', 'violation'),
  all('policies', '0', 'policy_state'),
].join('\n  ')

/**
 * What of the database of an agent has changed since it was sent to a team: which five minutes and hours of which hosts, and
 * which jobs and findings, by their numbers. Triggers mark them, whoever writes. They are made when a node joins a team:
 * nobody else pays for them. `turn` tells what was changed again while it was being sent.
 */
export const unsentSchema = (databaseId: string): string => `
  CREATE TABLE sending (database_id TEXT NOT NULL, turn INTEGER NOT NULL);
  INSERT INTO sending VALUES ('${databaseId}', 1);
  CREATE TABLE unsent (
    part TEXT NOT NULL, host_id INTEGER NOT NULL, place INTEGER NOT NULL, turn INTEGER NOT NULL,
    PRIMARY KEY (part, host_id, place)
  ) WITHOUT ROWID;
  ${markAll}
  ${marked('node_5m', 'five', 'at_ms', ['INSERT', 'UPDATE'])}
  ${marked('node_hour', 'hour', 'at_ms', ['INSERT', 'UPDATE'])}
  ${marked('usage_hour', 'hour', 'at_ms', ['INSERT', 'UPDATE'])}
  ${marked('job', 'job', 'id', ['INSERT', 'UPDATE'])}
  ${marked('violation', 'finding', 'id', ['INSERT', 'UPDATE', 'DELETE'])}
  ${marked('policy_state', 'policies', '0', ['INSERT', 'UPDATE', 'DELETE'])}`

type Event = 'INSERT' | 'UPDATE' | 'DELETE'
type Part = 'five' | 'hour' | 'job' | 'finding' | 'policies'

function marked(table: string, part: Part, place: string, events: readonly Event[]): string {
  return events
    .map((event) => {
      const row = event === 'DELETE' ? 'OLD' : 'NEW'
      const at = place === '0' ? place : `${row}.${place}`
      return `
  CREATE TRIGGER unsent_${table}_${event.toLowerCase()} AFTER ${event} ON ${table} BEGIN
    INSERT INTO unsent VALUES ('${part}', ${row}.host_id, ${at}, (SELECT turn FROM sending))
      ON CONFLICT (part, host_id, place) DO UPDATE SET turn = excluded.turn;
  END;`
    })
    .join('')
}
