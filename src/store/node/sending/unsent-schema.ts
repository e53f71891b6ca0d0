import { fiveMinutesMs, hourMs } from '../buckets.ts'

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
  INSERT INTO unsent SELECT 'five', host_id, at_ms, 1 FROM node_5m;
  INSERT OR IGNORE INTO unsent SELECT 'five', host_id, (at_ms - 1) / ${fiveMinutesMs} * ${fiveMinutesMs}, 1 FROM round;
  INSERT INTO unsent SELECT 'hour', host_id, at_ms, 1 FROM node_hour;
  INSERT OR IGNORE INTO unsent SELECT 'hour', host_id, at_ms, 1 FROM usage_hour;
  INSERT OR IGNORE INTO unsent SELECT 'hour', host_id, (last_ms - 1) / ${hourMs} * ${hourMs}, 1 FROM job;
  INSERT INTO unsent SELECT 'job', host_id, id, 1 FROM job;
  INSERT INTO unsent SELECT 'finding', host_id, id, 1 FROM violation;
  INSERT OR IGNORE INTO unsent SELECT 'policies', host_id, 0, 1 FROM policy_state;
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
