/**
 * Who may do what with what agents sent: the same groups as elsewhere (`access-1.ts`). Readers and servers read the views
 * of `jobmeter_nodes`, which show each what is theirs, and no table. Machines write what is of hosts that are theirs, and
 * nobody else writes anything: it is of whoever a machine names.
 */
export function nodeAccess1(): string {
  return `
GRANT USAGE ON SCHEMA jobmeter_nodes TO jobmeter_server, jobmeter_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA jobmeter_nodes TO jobmeter_server, jobmeter_reader;
GRANT SELECT ON node_retention TO jobmeter_server, jobmeter_node, jobmeter_reader;
GRANT SELECT ON node_source TO jobmeter_server;
GRANT SELECT, INSERT, UPDATE ON node_source TO jobmeter_node;
GRANT SELECT, UPDATE (latest_ms) ON node_host TO jobmeter_node;
GRANT SELECT, INSERT, UPDATE, DELETE ON ${ofHost.map(([table]) => table).join(', ')} TO jobmeter_node;
GRANT SELECT, INSERT ON node_words TO jobmeter_node;

/* The numbers of hosts that are the caller's, or nobody's yet. */
CREATE FUNCTION node_hosts(names text[]) RETURNS TABLE (name text, id bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  INSERT INTO node_host (name) SELECT DISTINCT asked FROM unnest(names) AS asked ON CONFLICT DO NOTHING;
  SELECT node_host.name, node_host.id FROM node_host
  WHERE node_host.name = ANY (names) AND role = session_user;
$$;
${['user', 'account', 'command'].map(keepNames).join('')}
REVOKE ALL ON FUNCTION make_node_parts, drop_node_expired, node_hosts, node_kept_since,
  node_users, node_accounts, node_commands FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_node_parts, drop_node_expired, node_hosts, node_kept_since,
  node_users, node_accounts, node_commands TO jobmeter_node;

ALTER TABLE node_source ENABLE ROW LEVEL SECURITY;
CREATE POLICY server_reads ON node_source FOR SELECT TO jobmeter_server USING (true);
CREATE POLICY own_rows ON node_source TO jobmeter_node
  USING (role = current_user) WITH CHECK (role = current_user);
ALTER TABLE node_host ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON node_host TO jobmeter_node USING (role = current_user);
${ofHost.map(writtenByHost).join('')}
`
}

/** With the column whose upper bits are the number of a source, where there is one. */
const ofHost: readonly (readonly [table: string, numbered: string | null])[] = [
  ['node_round', null],
  ['node_job', 'id'],
  ['node_job_raw', 'job_id'],
  ['node_job_5m', 'job_id'],
  ['node_job_hour', 'job_id'],
  ['node_5m', null],
  ['node_hour', null],
  ['node_usage_hour', null],
  ['node_violation', 'id'],
  ['node_policy_state', null],
  ['node_device', 'id'],
  ['node_device_latest', 'device_id'],
  ['node_device_5m', 'device_id'],
  ['node_device_hour', 'device_id'],
]

// Subqueries that depend on no row are run once for a statement. Nobody adds to the jobs of another source.
const writtenByHost = ([table, numbered]: (typeof ofHost)[number]): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_hosts ON ${table} TO jobmeter_node
  USING (${ownHost}) WITH CHECK (${ownHost}${numbered === null ? '' : ` AND ${ownSource(numbered)}`});
`

const ownHost = 'host_id = ANY (ARRAY(SELECT id FROM node_host WHERE role = current_user))'
const ownSource = (column: string): string =>
  `(${column} >> 32) = ANY (ARRAY(SELECT source.id FROM node_source AS source WHERE source.role = current_user))`

const keepNames = (of: string): string => `
CREATE FUNCTION node_${of}s(names text[]) RETURNS TABLE (name text, id bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  INSERT INTO node_${of} (name) SELECT DISTINCT asked FROM unnest(names) AS asked ON CONFLICT DO NOTHING;
  SELECT node_${of}.name, node_${of}.id FROM node_${of} WHERE node_${of}.name = ANY (names);
$$;`
