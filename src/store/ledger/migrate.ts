import type { Connection } from '../sqlite/connection.ts'
import { applicationId, newestVersion, refuseOthers, tamperedWith } from './ledger-marks.ts'
import { migrations } from './migrations.ts'
import { number } from '../sqlite/row.ts'

/** Brings a file to the version of this build. One that is up to date costs one small read. */
export function migrate(connection: Connection): void {
  const version = ledgerVersion(connection)
  if (version === newestVersion) return
  if (version === 0) prepareEmptyFile(connection)
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
 * These settings are kept in the file, and the first must come before its first table: auto_vacuum lets `prune` give
 * space back in small steps; without it only a VACUUM can, which locks all others out while it
 * copies the whole file.
 */
function prepareEmptyFile(connection: Connection): void {
  connection.script('PRAGMA auto_vacuum = INCREMENTAL')
  connection.chooseJournal()
}

// One statement, so one moment: read one after the other, the marks of a file that another process is
// just making look like those of a foreign database.
const marks = `
  SELECT application_id, user_version, EXISTS (SELECT 1 FROM sqlite_schema) AS filled,
    EXISTS (SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view')) AS acts
  FROM pragma_application_id, pragma_user_version`

/** 0 for an empty file. Refuses what this build cannot use. */
export function ledgerVersion(connection: Connection): number {
  const row = connection.row(marks) ?? {}
  const id = number(row, 'application_id')
  const version = number(row, 'user_version')
  const empty = id === 0 && version === 0 && number(row, 'filled') === 0
  if (!empty) refuseOthers(connection.path, id, version)
  if (number(row, 'acts') > 0) throw tamperedWith(connection.path)
  return version
}
