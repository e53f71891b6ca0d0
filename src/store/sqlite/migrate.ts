import type { Connection } from './connection.ts'
import { StoreError } from './errors.ts'
import { applicationId, migrations, newestVersion } from './migrations.ts'

/** Brings a file to the version of this build. One that is up to date costs two small reads. */
export function migrate(connection: Connection): void {
  if (ledgerVersion(connection) === newestVersion) return
  if (ledgerVersion(connection) === 0) prepareEmptyFile(connection)
  while (takeStep(connection)) continue
}

/** One step in one transaction; false when there is none to take, as another process may have taken it. */
function takeStep(connection: Connection): boolean {
  return connection.transaction(() => {
    const version = ledgerVersion(connection)
    const step = migrations[version]
    if (step === undefined) return false
    connection.script(step)
    connection.script(`PRAGMA application_id = ${applicationId}`)
    connection.script(`PRAGMA user_version = ${version + 1}`)
    return true
  })
}

/**
 * Both settings are kept in the file and must come before its first table. auto_vacuum lets `prune` give
 * space back in small steps; without it only a VACUUM can, which locks all others out while it
 * copies the whole file.
 */
function prepareEmptyFile(connection: Connection): void {
  connection.script('PRAGMA auto_vacuum = INCREMENTAL')
  connection.script('PRAGMA journal_mode = WAL')
}

/** 0 for an empty file. Refuses what this build cannot use. */
function ledgerVersion(connection: Connection): number {
  const id = pragma(connection, 'application_id')
  const version = pragma(connection, 'user_version')
  if (id !== applicationId && !(id === 0 && version === 0 && isEmpty(connection)))
    throw new StoreError(
      'not-a-ledger',
      connection.path,
      'this is a database of another program; give another path with --db or JOBMETER_DB',
    )
  if (version > newestVersion)
    throw new StoreError(
      'newer',
      connection.path,
      `written by version ${version}; this build reads up to ${newestVersion}. ` +
        'Use a newer jobmeter, or give another path with --db or JOBMETER_DB',
    )
  return version
}

function pragma(connection: Connection, name: 'application_id' | 'user_version'): number {
  return Number(connection.row(`PRAGMA ${name}`)?.[name])
}

function isEmpty(connection: Connection): boolean {
  return connection.row('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined
}
