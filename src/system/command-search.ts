import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { textOrBytes } from './exact-text.ts'
import type { NotStarted, SpawnRequest } from './system.ts'

/**
 * Why a command did not start, as a shell would say it. The system's own answer is not enough: it is
 * "permission denied" as soon as one folder on the way could not be read, even if the command is nowhere.
 */
export function notFoundOrDenied(
  file: string,
  path: string | undefined,
  workingDirectory: string,
): NotStarted {
  const name = file.toWellFormed()
  return findCommand(file, path) !== undefined
    ? { kind: 'not-started', errorCode: 'EACCES', message: `${name}: permission denied` }
    : { kind: 'not-started', errorCode: 'ENOENT', message: notFound(file, workingDirectory) }
}

/** Shells do not look in the current directory either, and many who type a name there mean the file. */
export function notFound(file: string, workingDirectory: string): string {
  const name = file.toWellFormed()
  const isHere = file !== '' && !file.includes('/') && exists(join(workingDirectory, file))
  return `${name}: command not found${isHere ? `. Did you mean ./${name}?` : ''}`
}

/** Why a child cannot write to the files that it was given; undefined where their folders are there. */
export function missingFolder({ stdout, stderr }: SpawnRequest): NotStarted | undefined {
  const file = [stdout, stderr].find((path) => path !== undefined && !exists(dirname(path)))
  if (file === undefined) return undefined
  const message = `${dirname(file)}: the directory for its output does not exist`
  return { kind: 'not-started', errorCode: 'ENOENT', message }
}

/** The first file of that name on the path, or the file itself where the name says where it is. */
export function findCommand(file: string, path: string | undefined): string | undefined {
  const places = file.includes('/')
    ? [file]
    : (path ?? '').split(delimiter).map((folder) => join(folder, file))
  return places.find(exists)
}

function exists(path: string): boolean {
  try {
    accessSync(textOrBytes(path), constants.F_OK)
    return true
  } catch {
    return false
  }
}
