import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'

const { geteuid, getegid } = process
const endings = ['', '-wal', '-shm', '-journal']

/**
 * Lets a group read a database, or nobody but its owner (null). Answers why its members cannot reach it, where they cannot.
 * SQLite gives the files beside it the mode and group of the database, so what it makes later is shared alike.
 */
export function shareWithGroup(file: string, group: number | null): string | undefined {
  try {
    return share(file, group)
  } catch (error) {
    // The agent goes on: its rounds are as good, whoever may read them.
    return `who may read ${file} could not be changed: ${error instanceof Error ? error.message : String(error)}`
  }
}

function share(file: string, group: number | null): string | undefined {
  const folder = dirname(file)
  const isOurs = lstatSync(folder).uid === geteuid?.() && holdsNothingElse(folder, file)
  // When it is shared the folder comes last, and when it no longer is, first.
  if (isOurs && group === null) change(folder, group, 0o700)
  for (const ending of endings) change(file + ending, group, group === null ? 0o600 : 0o640)
  if (group === null) return undefined
  if (isOurs) change(folder, group, 0o750)
  const { gid, mode } = lstatSync(folder)
  const canEnter = (mode & 0o001) !== 0 || (gid === group && (mode & 0o010) !== 0)
  return canEnter ? undefined : `group ${group} cannot enter ${folder}, and other files are in it`
}

const holdsNothingElse = (folder: string, file: string): boolean =>
  readdirSync(folder).every((name) => name.startsWith(basename(file)))

function change(path: string, group: number | null, mode: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.isSymbolicLink()) return
  const wanted = group ?? getegid?.() ?? found.gid
  if (found.gid !== wanted) chownSync(path, found.uid, wanted)
  if ((found.mode & 0o777) !== mode) chmodSync(path, mode)
}
