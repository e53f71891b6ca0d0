import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { asStoreError, type StoreError } from '../errors.ts'
import type { Ledger } from './ledger.ts'
import { refuseStrangeCompanions } from '../private-file.ts'
import { Connection } from '../sqlite/connection.ts'
import { ledgerVersion, migrate } from './migrate.ts'
import { newestVersion } from './ledger-marks.ts'
import { ledgerOn } from './open.ts'
import { usualLockWait, type FileSettings } from '../sqlite/open-private.ts'
import { openCopy, openEmpty, openToRead } from '../sqlite/open-to-read.ts'

/**
 * A ledger that cannot be written to, to be read: its file as it is, or an empty one where there is none. Whoever tries
 * to write hears `refusal`, the reason why he cannot.
 */
export function openSqliteInPlace(
  path: string,
  refusal: StoreError,
  { onProblem }: FileSettings = {},
): Ledger {
  const file = resolve(path)
  const settings = {
    journal: 'WAL' as const,
    lockWait: usualLockWait,
    refusal,
    ...(onProblem === undefined ? {} : { onProblem }),
  }
  try {
    refuseStrangeCompanions(file)
    let connection = new Connection(openFound(file), file, settings)
    if (ledgerVersion(connection) < newestVersion) {
      // An older one is brought to this version in a copy: what is there cannot be changed.
      const isNone = ledgerVersion(connection) === 0
      connection.close()
      // It may only be out of sight.
      if (isNone) onProblem?.(refusal.message)
      const copy = isNone ? openEmpty() : openCopy(file)
      connection = new Connection(copy, file, settings)
      migrate(connection)
    }
    connection.script('PRAGMA query_only = 1')
    return ledgerOn(connection)
  } catch (error) {
    throw asStoreError(error, file)
  }
}

const openFound = (file: string) => (existsSync(file) ? openToRead(file) : openEmpty())
