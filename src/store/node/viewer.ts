import { constants, type DatabaseSync } from 'node:sqlite'

/** Somebody who may see only what is theirs: jobs of these users, and those that anybody ran on these accounts. */
export interface NodeViewer {
  readonly users: readonly string[]
  readonly accounts?: readonly string[]
}

/** What is not the viewer's is one user, with one account and one command. */
export const othersName = 'others'
const othersId = -1

/** Whether a row of a table with these columns is the viewer's, as a condition. */
type IsViewers = (table: string, columns: readonly string[]) => string

/** Without accounts the condition names users alone, of whose jobs there is an index. */
const ofUsers: IsViewers = (table) => `${table}.user_id IN (SELECT user_id FROM temp.viewer)`
const ofUsersOrAccounts: IsViewers = (table, columns) =>
  columns.includes('account_id')
    ? `(${ofUsers(table, columns)} OR
        ${table}.account_id IN (SELECT account_id FROM temp.viewer_account))`
    : ofUsers(table, columns)

/** What a viewer sees of a table. */
type Scope = (table: string, columns: readonly string[], isViewers: IsViewers) => string

const everything: Scope = (table) => `SELECT * FROM main.${table}`
const own: Scope = (table, columns, isViewers) =>
  `SELECT * FROM main.${table} WHERE ${isViewers(table, columns)}`

const whose = ['user_id', 'account_id']

const ofOwnJobs: Scope = (table, _, isViewers) =>
  `SELECT * FROM main.${table} WHERE EXISTS
    (SELECT 1 FROM main.job WHERE job.id = ${table}.job_id AND ${isViewers('job', whose)})`

/** So that sums are those of the node: what others used, as one row for each of these keys. */
const ownAndOthers =
  (...keys: readonly string[]): Scope =>
  (table, columns, isViewers) => {
    const ofOthers = columns.map((name) => {
      if (keys.includes(name)) return name
      return name.endsWith('_id') ? String(othersId) : `sum(${name})`
    })
    return `${own(table, columns, isViewers)} UNION ALL
      SELECT ${ofOthers.join(', ')} FROM main.${table}
      WHERE NOT ${isViewers(table, columns)} GROUP BY ${keys.join(', ')}`
  }

/** Names that the viewer's jobs had, and the empty one, which tells nothing and which findings on users have. */
const ownNames: Scope = (table, _, isViewers) =>
  `SELECT id, name FROM main.${table} WHERE name = '' OR id IN
    (SELECT ${table}_id FROM main.user_words WHERE ${isViewers('user_words', whose)})
   UNION ALL SELECT ${othersId}, '${othersName}'`

/** Of these there may be findings without there ever having been a job. */
const ownUsers: Scope = (table, _, isViewers) =>
  `SELECT id, name FROM main.${table} WHERE id IN (SELECT user_id FROM temp.viewer) OR id IN
    (SELECT user_id FROM main.user_words WHERE ${isViewers('user_words', whose)})
   UNION ALL SELECT ${othersId}, '${othersName}'`

/** Of a table that is not here: own rows, where it says whose rows are; else nothing. */
const scopes: Readonly<Record<string, Scope>> = {
  host: everything,
  round: everything,
  node_5m: everything,
  node_hour: everything,
  policy_state: everything,
  imported_stretch: everything,
  imported_hour: everything,
  imported_capacity: everything,
  device: everything,
  device_latest: everything,
  device_5m: everything,
  device_hour: everything,
  user: ownUsers,
  account: ownNames,
  command: ownNames,
  usage_hour: ownAndOthers('at_ms', 'host_id'),
  usage_user_hour: ownAndOthers('at_ms'),
}

const nothing: Scope = (table) => `SELECT * FROM main.${table} WHERE 0`

function scopeOf(table: string, columns: readonly string[]): Scope {
  const scope = Object.hasOwn(scopes, table) ? scopes[table] : undefined
  if (scope !== undefined) return scope
  if (columns.includes('user_id')) return own
  return columns.includes('job_id') ? ofOwnJobs : nothing
}

/**
 * Leaves a connection with what a viewer may see, whatever is asked on it from now on: each table is hidden behind a view
 * of the same name, and SQLite refuses all that reads a table past its view, or does anything but read.
 */
export function showOnly(database: DatabaseSync, viewer: NodeViewer): void {
  database.exec(`PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;
    CREATE TEMP TABLE viewer (user_id INTEGER PRIMARY KEY);
    CREATE TEMP TABLE viewer_account (account_id INTEGER PRIMARY KEY)`)
  const addUser = database.prepare(
    'INSERT OR IGNORE INTO temp.viewer SELECT id FROM main.user WHERE name = ?',
  )
  for (const name of viewer.users) addUser.run(name)
  // The account without a name stands for none.
  const addAccount = database.prepare(
    "INSERT OR IGNORE INTO temp.viewer_account SELECT id FROM main.account WHERE name = ? AND name != ''",
  )
  for (const name of viewer.accounts ?? []) addAccount.run(name)
  const isViewers = viewer.accounts?.length ? ofUsersOrAccounts : ofUsers
  const tables = database
    .prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name GLOB '[a-z]*'`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith('sqlite_'))
  for (const table of tables) {
    const columns = database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name))
    database.exec(
      `CREATE TEMP VIEW ${table} AS ${scopeOf(table, columns)(table, columns, isViewers)}`,
    )
  }
  database.setAuthorizer(authorizer(new Set(tables)))
}

const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION } = constants

function authorizer(views: ReadonlySet<string>): Parameters<DatabaseSync['setAuthorizer']>[0] {
  return (action, table, name, database, view) => {
    if (action === SQLITE_SELECT) return SQLITE_OK
    if (action === SQLITE_FUNCTION) return name === 'load_extension' ? SQLITE_DENY : SQLITE_OK
    if (action !== SQLITE_READ) return SQLITE_DENY
    const isView = database === 'temp' && table !== null && views.has(table)
    // It reads what it is given and no table.
    if (table === 'json_each') return SQLITE_OK
    return isView || (view !== null && views.has(view)) ? SQLITE_OK : SQLITE_DENY
  }
}
