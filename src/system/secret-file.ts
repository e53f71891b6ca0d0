import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'
import { failed, ok, unavailable, type Reading } from '../model/reading.ts'

const mostBytes = 65_536

/** The first line of a file that only its owner can read: a password, a key, an address that must not be known. */
export function readSecretFile(path: string): Reading<string> {
  const text = readSecretText(path)
  if (text.kind !== 'ok') return text
  const [line = ''] = text.value.split('\n')
  return line.trim() === '' ? unavailable(`${path} is empty`) : ok(line.trim())
}

/** All of such a file: a key in several lines. */
export function readSecretText(path: string): Reading<string> {
  let descriptor: number
  try {
    // What stands there may be a pipe: nobody may ever write to it.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return unavailable(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    const refusal = refusalOf(fstatSync(descriptor))
    if (refusal !== undefined) return unavailable(`${path} ${refusal}`)
    const bytes = Buffer.alloc(mostBytes)
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes))
    return text.trim() === '' ? unavailable(`${path} is empty`) : ok(text)
  } catch (error) {
    return failed(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  } finally {
    closeSync(descriptor)
  }
}

function refusalOf(found: Stats): string | undefined {
  if (!found.isFile()) return 'is not a file'
  if (!isOurs(found)) return 'belongs to somebody else'
  if ((found.mode & 0o077) !== 0) return 'can be read by others: run chmod 600 on it'
  return undefined
}

const isOurs = ({ uid }: Stats): boolean => uid === process.geteuid?.() || uid === 0

/** Why what stands in a file may not be what we or root wrote; undefined where it is, or where there is none. */
export function whyOthersWrote(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile()) return undefined
  if (!isOurs(found)) return `${path} belongs to somebody else: make a copy that is yours`
  if ((found.mode & 0o022) !== 0)
    return `${path} can be written by others: look through it, then run chmod go-w on it`
  return undefined
}
