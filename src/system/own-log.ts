import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { textOrBytes } from './exact-text.ts'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants

/**
 * Opens a log for a job to write to. Its name can be guessed, so somebody may have put a link there, a pipe that nobody
 * reads, or a file of their own to read along: none of these is taken. What goes nowhere may.
 */
export function openOwnLog(path: string): number {
  const flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
  const descriptor = openOrExplain(path, flags)
  const found = fstatSync(descriptor)
  const isOwn = found.isFile() && found.uid === process.geteuid?.()
  if (isOwn || path === devNull) return descriptor
  closeSync(descriptor)
  throw refused(`${path} is not a file of yours`, 'EEXIST')
}

function openOrExplain(path: string, flags: number): number {
  try {
    return openSync(textOrBytes(path), flags, 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOOP') throw refused(`${path}: there is a link where its log should go`, code)
    if (code === 'ENXIO') throw refused(`${path}: there is a pipe where its log should go`, code)
    throw error
  }
}

const refused = (message: string, code: string): Error =>
  Object.assign(new Error(message), { code })
