/**
 * Who may do what. Rights are given to five groups; those who log in are members of them.
 *
 * - `jobmeter_admin` owns all of it, and is the only one that changes what the team ledger is.
 * - `jobmeter_server` reads all: `jobmeter serve` decides who sees what of it.
 * - `jobmeter_writer` writes what its own sources hold of the user who has the role's name, and sees nothing else.
 * - `jobmeter_node` is a writer, for machines: what it writes is of whoever the machine names.
 * - `jobmeter_reader` sees the jobs of the user who has the role's name, and of those in `viewer`.
 *
 * What belongs to a workflow or a benchmark is seen by whoever sees that. Partitions have no rights of their own, so nobody
 * gets past the policies by naming one. Nobody adds to what another has sent, nor to what is of another user.
 */
export function access1(): string {
  return `
GRANT USAGE ON SCHEMA jobmeter TO jobmeter_server, jobmeter_writer, jobmeter_reader;
GRANT SELECT ON version TO jobmeter_server, jobmeter_writer, jobmeter_reader;
GRANT SELECT ON retention TO jobmeter_server, jobmeter_writer, jobmeter_reader;
GRANT SELECT ON ${[...all, 'usage_form', 'viewer'].join(', ')} TO jobmeter_server, jobmeter_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON ${all.filter((table) => table !== 'source').join(', ')} TO jobmeter_writer;
GRANT SELECT, INSERT, UPDATE ON source TO jobmeter_writer;
GRANT USAGE, SELECT ON SEQUENCE job_number, attempt_number TO jobmeter_writer;
GRANT SELECT ON SEQUENCE attempt_number TO jobmeter_server, jobmeter_reader;

CREATE FUNCTION keep_forms(forms text[]) RETURNS TABLE (form text, id bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, jobmeter, pg_temp AS $$
  INSERT INTO usage_form (form) SELECT DISTINCT asked FROM unnest(forms) AS asked ON CONFLICT DO NOTHING;
  SELECT usage_form.form, usage_form.id FROM usage_form JOIN unnest(forms) AS asked ON digest = md5(asked);
$$;

REVOKE ALL ON FUNCTION make_months, drop_expired, known_tasks, keep_forms, kept_since,
  make_month, drop_months, is_there, sources_beside FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_months, drop_expired, known_tasks, keep_forms, kept_since
  TO jobmeter_writer;
GRANT EXECUTE ON FUNCTION kept_since, sources_beside TO jobmeter_server, jobmeter_reader;

${[...all, 'usage_form', 'viewer'].map(guarded).join('')}
CREATE POLICY own_rows ON source TO jobmeter_writer
  USING (role = current_user) WITH CHECK (role = current_user);
CREATE POLICY own_rows_read ON source FOR SELECT TO jobmeter_reader USING (role = current_user);
CREATE POLICY own_rows ON viewer FOR SELECT TO jobmeter_reader USING (role = current_user);
CREATE POLICY all_forms ON usage_form FOR SELECT TO jobmeter_reader USING (true);
${Object.entries(ofSource).map(writtenBySource).join('')}
${ofUser.map(seenByUser).join('')}
${ofParent.map(throughParent).join('')}
`
}

const ofUser = ['workflow', 'attempt', 'sample_chunk', 'benchmark']
const ofParent = [
  { table: 'name_list', parent: 'workflow', isWrittenThrough: true },
  { table: 'run', parent: 'workflow', isWrittenThrough: true },
  { table: 'benchmark_run', parent: 'benchmark', isWrittenThrough: true },
  { table: 'job', parent: 'workflow', isWrittenThrough: false },
  { table: 'baseline', parent: 'benchmark', isWrittenThrough: false },
]

// A subquery that depends on no row is run once for a statement, and an index serves the rest.
const isOwnSource = 'source_id = ANY (ARRAY(SELECT id FROM source WHERE role = current_user))'

/** Whom a role may write for: the user who has its name; that of a machine, for everybody. */
const isOfUser = `("user" = current_user::text OR (SELECT pg_has_role(current_user, 'jobmeter_node', 'MEMBER')))`

/** Of what the role itself has sent: as a reader, it may see more. */
const isOfOwn = (parent: string, table: string): string => `
  EXISTS (SELECT 1 FROM ${parent} WHERE ${parent}.id = ${table}.${parent}_id AND ${parent}.${isOwnSource})`

/** What must be right, besides the source, about what somebody writes. */
const ofSource: Readonly<Record<string, string>> = {
  workflow: isOfUser,
  attempt: `${isOfUser} AND (workflow_id IS NULL
    OR workflow_id = ANY (ARRAY(SELECT workflow.id FROM workflow WHERE workflow.${isOwnSource})))`,
  sample_chunk: isOfUser,
  benchmark: isOfUser,
  job: isOfOwn('workflow', 'job'),
  baseline: isOfOwn('benchmark', 'baseline'),
}
const all = ['source', ...Object.keys(ofSource), 'name_list', 'run', 'benchmark_run']

const guarded = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY server_reads ON ${table} FOR SELECT TO jobmeter_server USING (true);
`

const writtenBySource = ([table, isRight]: [table: string, isRight: string]): string => `
CREATE POLICY own_source ON ${table} TO jobmeter_writer
  USING (${isOwnSource}) WITH CHECK (${isOwnSource} AND ${isRight});
`

const seenByUser = (table: string): string => `
CREATE POLICY own_user ON ${table} FOR SELECT TO jobmeter_reader
  USING ("user" = ANY (ARRAY(SELECT current_user::text UNION ALL SELECT viewer."user" FROM viewer WHERE role = current_user)));
`

/** The subquery for readers sees what the policies of the parent let through. */
function throughParent(place: (typeof ofParent)[number]): string {
  const { table, parent, isWrittenThrough } = place
  const isSeen = `EXISTS (SELECT 1 FROM ${parent} WHERE ${parent}.id = ${table}.${parent}_id)`
  return `
CREATE POLICY of_${parent} ON ${table} FOR SELECT TO jobmeter_reader USING (${isSeen});
${isWrittenThrough ? `CREATE POLICY own_${parent} ON ${table} TO jobmeter_writer USING (${isOfOwn(parent, table)});` : ''}`
}
