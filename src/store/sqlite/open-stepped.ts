import { resolve } from 'node:path'
import { asStoreError, StoreError } from '../errors.ts'
import { Connection } from './connection.ts'
import { openPrivateDatabase, type FileSettings } from './open-private.ts'
import { openToFollowOrRead } from './open-to-read.ts'
import { number } from './row.ts'

/** What a file holds: four letters that mark it as ours, and the steps from an empty file to that of today. */
export interface SteppedFile {
  readonly applicationId: number
  /** A step that was released is never edited; a change is a new step at the end. */
  readonly steps: readonly string[]
}

/** Opens a file of ours that only its owner may read; makes it where there is none and upgrades it where it is older. */
export function openStepped<T>(
  path: string,
  kind: SteppedFile,
  settings: FileSettings,
  use: (connection: Connection) => T,
): T {
  return openPrivateDatabase(path, settings, (connection) => {
    prepare(connection, kind)
    connection.chooseJournal()
    return use(connection)
  })
}

/** Opens such a file for reading alone; undefined where nothing of this version is in it yet. */
export function readStepped(
  path: string,
  kind: SteppedFile,
): { readonly connection: Connection; readonly isStill: boolean } | undefined {
  const file = resolve(path)
  try {
    const { database, isStill } = openToFollowOrRead(file)
    const connection = new Connection(database, file, {
      journal: 'WAL',
      lockWait: { milliseconds: 100 },
    })
    try {
      if (versionOf(connection, kind) === kind.steps.length) return { connection, isStill }
    } catch (error) {
      connection.close()
      throw error
    }
    connection.close()
    return undefined
  } catch (error) {
    throw asStoreError(error, file)
  }
}

function prepare(connection: Connection, kind: SteppedFile): void {
  const { applicationId, steps } = kind
  if (versionOf(connection, kind) === steps.length) return
  connection.transaction(() => {
    for (const step of steps.slice(versionOf(connection, kind))) connection.script(step)
    connection.script(`PRAGMA application_id = ${applicationId}`)
    connection.script(`PRAGMA user_version = ${steps.length}`)
  })
}

function versionOf(connection: Connection, { applicationId, steps }: SteppedFile): number {
  const row =
    connection.row(
      `SELECT application_id, user_version, EXISTS (SELECT 1 FROM sqlite_schema) AS filled
       FROM pragma_application_id, pragma_user_version`,
    ) ?? {}
  const version = number(row, 'user_version')
  if (number(row, 'filled') === 0) return 0
  if (number(row, 'application_id') !== applicationId)
    throw new StoreError('not-a-ledger', connection.path, 'this is a database of another program')
  if (version > steps.length)
    throw new StoreError(
      'newer',
      connection.path,
      `written by version ${version}; this build reads up to ${steps.length}`,
    )
  return version
}
