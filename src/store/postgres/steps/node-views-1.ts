import { amounts, capacities, deviceFigures, peaks } from './node-columns-1.ts'

/**
 * The tables of an agent's database, by the names that they have there, so that the same words ask both. In them is what
 * the asker may see, as in a local one (`store/node/viewer.ts`): own jobs, and of the use of all others sums.
 *
 * Administrators and servers see everything. A server that asks for somebody says so in \`jobmeter.node_viewer\`, which can
 * only take away: \`{"users": […], "accounts": […]}\`. Everybody else sees what is of the user that has the name of their
 * role, and of those that \`viewer\` names.
 */
export function nodeViews1(): string {
  return `
CREATE FUNCTION node_sees_everybody() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT pg_has_role(current_user, 'jobmeter_server', 'MEMBER')
    OR pg_has_role(current_user, 'jobmeter_admin', 'MEMBER')
$$;
/* Null: everybody. */
CREATE FUNCTION node_users_seen() RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT CASE
    WHEN NOT jobmeter.node_sees_everybody() THEN
      ARRAY(SELECT current_user::text UNION SELECT viewer."user" FROM jobmeter.viewer WHERE role = current_user)
    WHEN coalesce(current_setting('jobmeter.node_viewer', true), '') = '' THEN NULL
    ELSE ARRAY(SELECT jsonb_array_elements_text(current_setting('jobmeter.node_viewer')::jsonb -> 'users'))
  END
$$;
CREATE FUNCTION node_accounts_seen() RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  SELECT CASE
    WHEN NOT jobmeter.node_sees_everybody()
      OR coalesce(current_setting('jobmeter.node_viewer', true), '') = '' THEN '{}'
    ELSE ARRAY(SELECT jsonb_array_elements_text(current_setting('jobmeter.node_viewer')::jsonb -> 'accounts'))
  END
$$;

CREATE SCHEMA jobmeter_nodes AUTHORIZATION jobmeter_admin;
${view('host', 'SELECT id, name, latest_ms FROM jobmeter.node_host')}
${everything.map(([name, columns]) => view(name, `SELECT ${columns} FROM jobmeter.${tableOf(name)}`)).join('')}
${view(
  '"user"',
  `SELECT id, name FROM jobmeter.node_user WHERE ${all} OR id = ANY (${ownUsers})
    OR id IN (SELECT user_id FROM jobmeter.node_words WHERE ${isOwn}) ${others}`,
)}
${view('account', names('account'))}
${view('command', names('command'))}
${view('job', `SELECT * FROM jobmeter.node_job WHERE ${all} OR ${isOwn}`)}
${view('violation', `SELECT * FROM jobmeter.node_violation WHERE ${all} OR ${isOwn}`)}
${['job_raw', 'job_5m', 'job_hour']
  .map((name) =>
    view(
      name,
      `SELECT job_id, at_ms, span_ms, ${[...amounts, ...peaks].join(', ')} FROM jobmeter.node_${name} AS part
      WHERE ${all} OR EXISTS (SELECT 1 FROM jobmeter.node_job WHERE node_job.id = part.job_id AND ${isOwn})`,
    ),
  )
  .join('')}
${view(
  'usage_hour',
  `SELECT at_ms, host_id, user_id, account_id, command_id, ${amounts.join(', ')}
    FROM jobmeter.node_usage_hour WHERE ${all} OR ${isOwn}
  UNION ALL SELECT at_ms, host_id, -1, -1, -1, ${sums}
    FROM jobmeter.node_usage_hour WHERE NOT ${all} AND NOT (${isOwn}) GROUP BY at_ms, host_id`,
)}
${view(
  'usage_user_hour',
  `SELECT at_ms, user_id, account_id, ${amounts.join(', ')}
    FROM jobmeter.node_usage_users WHERE ${all} OR ${isOwn}
  UNION ALL SELECT at_ms, -1, -1, ${sums}
    FROM jobmeter.node_usage_users WHERE NOT ${all} AND NOT (${isOwn}) GROUP BY at_ms`,
)}
`
}

const deviceColumns = `device_id, at_ms, span_ms, ${deviceFigures.join(', ')}`
const nodeColumns = `at_ms, host_id, span_ms, ${[...capacities, ...amounts, ...peaks].join(', ')}`

/** What tells of no job. */
const everything: readonly (readonly [name: string, columns: string])[] = [
  ['round', '*'],
  ['node_5m', nodeColumns],
  ['node_hour', nodeColumns],
  ['policy_state', '*'],
  ['device', '*'],
  ['device_latest', deviceColumns],
  ['device_5m', deviceColumns],
  ['device_hour', deviceColumns],
]

const tableOf = (name: string): string => (name.startsWith('node_') ? name : `node_${name}`)

/** Functions that somebody brings along are not shown rows that the view leaves out. */
const view = (name: string, query: string): string => `
CREATE VIEW jobmeter_nodes.${name} WITH (security_barrier) AS ${query};`

// Subqueries that depend on no row are run once for a statement.
const all = '(SELECT jobmeter.node_users_seen() IS NULL)'
const ownUsers = `ARRAY(SELECT seen.id FROM jobmeter.node_user AS seen
  WHERE seen.name = ANY ((SELECT jobmeter.node_users_seen())::text[]))`
/** The account without a name stands for none. */
const ownAccounts = `ARRAY(SELECT seen.id FROM jobmeter.node_account AS seen
  WHERE seen.name <> '' AND seen.name = ANY ((SELECT jobmeter.node_accounts_seen())::text[]))`
const isOwn = `(user_id = ANY (${ownUsers}) OR account_id = ANY (${ownAccounts}))`

const others = `UNION ALL SELECT -1, 'others' WHERE NOT ${all}`

/** Names that own jobs had, and the empty one, which tells nothing. */
const names = (of: string): string => `
  SELECT id, name FROM jobmeter.node_${of} WHERE ${all} OR name = ''
    OR id IN (SELECT ${of}_id FROM jobmeter.node_words WHERE ${isOwn}) ${others}`

// As whole numbers: sums of a few hours fit.
const sums = amounts.map((name) => `sum(${name})::bigint`).join(', ')
