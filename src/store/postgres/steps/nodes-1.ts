import { amounts, capacities, deviceFigures, peaks, roundFigures } from './node-columns-1.ts'
import { nodeAccess1 } from './node-access-1.ts'
import { nodePartitions1 } from './node-partitions-1.ts'
import { nodeUsage1 } from './node-usage-1.ts'
import { nodeViews1 } from './node-views-1.ts'

/**
 * What agents see of nodes. Columns have the names that they have in the database of an agent; `jobmeter_nodes` has a view
 * for each table of such a database, in which everybody sees what is theirs (`node-views-1.ts`).
 *
 * `node_source` is the database of an agent. Jobs and devices have its number and, in the lower 32 bits, the number that
 * they have there: no row has to be looked for to know the number of another. Hosts, users, accounts and commands are the
 * team's own. A host belongs to the role that first sent something of it.
 */
export function nodes1(): string {
  return `
CREATE TABLE node_source (
  id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 2097151) PRIMARY KEY,
  database_id text NOT NULL UNIQUE,
  host text NOT NULL,
  path text NOT NULL,
  role name NOT NULL DEFAULT current_user,
  version text NOT NULL,
  joined_at double precision NOT NULL DEFAULT extract(epoch FROM now()),
  heard_at double precision NOT NULL DEFAULT extract(epoch FROM now()),
  unsent bigint NOT NULL DEFAULT 0,
  refused_hosts text[] NOT NULL DEFAULT '{}'
);
CREATE TABLE node_host (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  role name NOT NULL DEFAULT session_user,
  latest_ms bigint
);
${['user', 'account', 'command'].map(dictionary).join('')}
CREATE TABLE node_words (
  user_id bigint NOT NULL, account_id bigint NOT NULL, command_id bigint NOT NULL,
  PRIMARY KEY (user_id, account_id, command_id)
);
CREATE TABLE node_round (
  host_id bigint NOT NULL, at_ms bigint NOT NULL, number bigint, epoch text COLLATE "C",
  span_ms bigint NOT NULL, lost_records bigint NOT NULL,
  ${bigints(roundFigures)}, core_us text NOT NULL, ${bigints([...amounts, ...peaks])},
  PRIMARY KEY (host_id, at_ms)
) PARTITION BY RANGE (at_ms);
CREATE INDEX node_round_by_number ON node_round (host_id, number DESC);
CREATE TABLE node_job (
  id bigint PRIMARY KEY, host_id bigint NOT NULL, epoch text COLLATE "C" NOT NULL, kind text NOT NULL,
  key text COLLATE "C" NOT NULL, user_id bigint NOT NULL, account_id bigint NOT NULL,
  command_id bigint NOT NULL, pid bigint, started_ms bigint, first_ms bigint NOT NULL,
  last_ms bigint NOT NULL, span_ms bigint NOT NULL, gpus bigint,
  asked_cpus double precision, asked_memory_kib bigint, asked_gpus double precision,
  asked_seconds double precision, asked_by text,
  ${bigints([...amounts, ...peaks])},
  name text, shown_id text, restarts bigint
);
CREATE INDEX node_job_by_last ON node_job (last_ms);
CREATE INDEX node_job_by_host ON node_job (host_id, last_ms);
CREATE INDEX node_job_by_key ON node_job (key);
CREATE INDEX node_job_by_user ON node_job (user_id, last_ms);
CREATE INDEX node_job_by_account ON node_job (account_id, last_ms);
${['node_job_raw', 'node_job_5m', 'node_job_hour'].map(ofJob).join('')}
${['node_5m', 'node_hour'].map(ofNode).join('')}
CREATE TABLE node_usage_hour (
  at_ms bigint NOT NULL, host_id bigint NOT NULL, user_id bigint NOT NULL,
  account_id bigint NOT NULL, command_id bigint NOT NULL, ${bigints(amounts)},
  PRIMARY KEY (at_ms, host_id, user_id, account_id, command_id)
) PARTITION BY RANGE (at_ms);
CREATE INDEX node_usage_hour_by_user ON node_usage_hour (user_id, at_ms);
CREATE TABLE node_violation (
  id bigint PRIMARY KEY, policy text NOT NULL, severity text NOT NULL, host_id bigint NOT NULL,
  user_id bigint NOT NULL, account_id bigint NOT NULL, subject text NOT NULL,
  epoch text, kind text, key text, command text,
  first_ms bigint NOT NULL, last_ms bigint NOT NULL, held_ms bigint NOT NULL,
  text text NOT NULL, spared text, reported_ms bigint, resolved_ms bigint, resolved_because text,
  resolution_told_ms bigint
);
CREATE INDEX node_violation_by_last ON node_violation (last_ms);
CREATE TABLE node_policy_state (
  host_id bigint NOT NULL, policy text COLLATE "C" NOT NULL, judged_ms bigint NOT NULL,
  unmeasured text, judged_by text NOT NULL, PRIMARY KEY (host_id, policy)
);
CREATE TABLE node_device (
  id bigint PRIMARY KEY, host_id bigint NOT NULL, kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL
);
CREATE INDEX node_device_by_host ON node_device (host_id);
CREATE TABLE node_device_latest (
  device_id bigint PRIMARY KEY, host_id bigint NOT NULL, at_ms bigint NOT NULL,
  span_ms bigint NOT NULL, ${bigints(deviceFigures)}
);
${['node_device_5m', 'node_device_hour'].map(ofDevice).join('')}
${nodePartitions1()}
${nodeUsage1()}
${nodeViews1()}
${nodeAccess1()}
`
}

const bigints = (names: readonly string[]): string =>
  names.map((name) => `${name} bigint`).join(', ')

const dictionary = (name: string): string => `
CREATE TABLE node_${name} (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE
);`

const ofJob = (table: string): string => `
CREATE TABLE ${table} (
  job_id bigint NOT NULL, at_ms bigint NOT NULL, host_id bigint NOT NULL, span_ms bigint NOT NULL,
  ${bigints([...amounts, ...peaks])}, PRIMARY KEY (job_id, at_ms)
) PARTITION BY RANGE (at_ms);`

const ofNode = (table: string): string => `
CREATE TABLE ${table} (
  at_ms bigint NOT NULL, host_id bigint NOT NULL, span_ms bigint NOT NULL,
  ${bigints([...capacities, ...amounts, ...peaks])}, PRIMARY KEY (host_id, at_ms)
) PARTITION BY RANGE (at_ms);
CREATE INDEX ${table}_by_time ON ${table} (at_ms);`

const ofDevice = (table: string): string => `
CREATE TABLE ${table} (
  device_id bigint NOT NULL, at_ms bigint NOT NULL, host_id bigint NOT NULL,
  span_ms bigint NOT NULL, ${bigints(deviceFigures)}, PRIMARY KEY (device_id, at_ms)
) PARTITION BY RANGE (at_ms);`
