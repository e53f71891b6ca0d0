import { existsSync } from 'node:fs'
import type { TryLock } from '../../model/file-lock.ts'
import type { NodeRound } from '../../model/node-round.ts'
import { asStoreError, StoreError } from '../errors.ts'
import { holdLock, type HeldLock } from '../held-lock.ts'
import { refusePlanted, refuseStrangeCompanions } from '../private-file.ts'
import { Connection } from '../sqlite/connection.ts'
import { openPrivateDatabase, usualLockWait, type FileSettings } from '../sqlite/open-private.ts'
import { openToRead } from '../sqlite/open-to-read.ts'
import { number } from '../sqlite/row.ts'
import { RoundWriter } from './add-round.ts'
import { Names } from './names.ts'
import { NodeReader } from './node-reader.ts'
import { nodeApplicationId, nodeSchema, nodeVersion } from './node-schema.ts'
import { nodeUpgrades } from './node-upgrades.ts'
import { shareWithGroup } from './share-with-group.ts'
import { showOnly, type NodeViewer } from './viewer.ts'
import { keepOnly, type Retention } from './retention.ts'
import { ViolationBook } from './violations.ts'

/** What nodes did, open for writing. */
export interface NodeStore {
  readonly path: string
  /** Keeps a round, whole or not at all, and answers its number; numbers of a host have no holes. */
  addRound(round: NodeRound): number
  /** Deletes what is older than it shall be kept. */
  keepOnly(retention: Retention, nowSeconds: number): void
  /** Lets this group read it, or nobody else (null); answers what is in the way, where something is. */
  shareWith(group: number | null): string | undefined
  /** Whether others find what is written here: somebody may have removed the file, or its lock. */
  isInPlace(): boolean
  readonly reader: NodeReader
  readonly violations: ViolationBook
  close(): void
}

/** Opens the database of a node, made where there is none. */
export function openNodeStore(path: string, settings: NodeSettings = {}): NodeStore {
  return openPrivateDatabase(path, { ...settings, kind: 'node database' }, (connection) => {
    const lock = settings.tryLock === undefined ? undefined : lockOfAgent(path, settings.tryLock)
    makeTables(connection)
    connection.chooseJournal()
    const names = new Names(connection)
    const writer = new RoundWriter(connection, names)
    return {
      path: connection.path,
      addRound: (round) => writer.add(round),
      keepOnly: (retention, now) => {
        keepOnly(connection, retention, now)
        writer.forget()
      },
      shareWith: (group) => shareWithGroup(connection.path, group),
      isInPlace: () => connection.isInPlace && lock?.isInPlace() !== false,
      reader: new NodeReader(connection),
      violations: new ViolationBook(connection, names),
      close: () => {
        connection.close()
        lock?.release()
      },
    }
  })
}

export interface NodeSettings extends FileSettings {
  /** Has the database for an agent of its own: rounds of two would count everything twice. */
  readonly tryLock?: TryLock
}

function lockOfAgent(path: string, tryLock: TryLock): HeldLock {
  const lock = holdLock(`${path}.agent.lock`, tryLock)
  if (lock !== undefined) return lock
  throw new StoreError(
    'locked',
    path,
    'another agent writes to this database; stop it, or name another file with --db',
  )
}

/** Opens it to be asked, by whoever may read the file. With a viewer, nothing that is not theirs can be read from it. */
export function openNodeReader(path: string, viewer?: NodeViewer): NodeReader {
  if (!existsSync(path))
    throw new StoreError(
      'unreadable',
      path,
      'there is no node database here that you may read; `jobmeter agent` makes one, and --db names another',
    )
  try {
    refusePlanted(path)
    refuseStrangeCompanions(path)
    const settings = { journal: 'WAL', lockWait: usualLockWait, kind: 'node database' } as const
    const database = openToRead(path)
    const connection = new Connection(database, path, settings)
    refuseOlder(path, versionOf(connection))
    if (viewer !== undefined) showOnly(database, viewer)
    return new NodeReader(connection)
  } catch (error) {
    throw asStoreError(error, path, 'node database')
  }
}

/** Who only reads cannot bring it to this version. */
function refuseOlder(path: string, version: number): void {
  if (version === nodeVersion) return
  throw version === 0
    ? new StoreError('unreadable', path, 'nothing has been written to this node database yet')
    : new StoreError(
        'older',
        path,
        `written by version ${version}; this build reads version ${nodeVersion}. An agent or an ` +
          'import of this jobmeter brings it up to date',
      )
}

export function makeTables(connection: Connection): void {
  if (versionOf(connection) === nodeVersion) return
  connection.script('PRAGMA auto_vacuum = INCREMENTAL')
  connection.chooseJournal()
  connection.transaction(() => {
    // Somebody else may have done it meanwhile.
    const version = versionOf(connection)
    if (version === 0) connection.script(nodeSchema)
    else for (const upgrade of nodeUpgrades.slice(version - 1)) connection.script(upgrade)
    connection.script(`PRAGMA user_version = ${nodeVersion}`)
  })
}

const marks = `
  SELECT application_id, user_version, EXISTS (SELECT 1 FROM sqlite_schema) AS filled
  FROM pragma_application_id, pragma_user_version`

/** 0 for an empty file. */
function versionOf(connection: Connection): number {
  const row = connection.row(marks) ?? {}
  const version = number(row, 'user_version')
  if (number(row, 'application_id') === nodeApplicationId) {
    if (version <= nodeVersion) return version
    throw new StoreError(
      'newer',
      connection.path,
      `written by version ${version}; this build reads up to ${nodeVersion}. Use a newer jobmeter`,
    )
  }
  if (number(row, 'filled') === 0) return 0
  throw new StoreError(
    'not-a-node-database',
    connection.path,
    'this is not the database of a node; name another file with --db',
  )
}
