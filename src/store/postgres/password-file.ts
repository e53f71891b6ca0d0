import { closeSync, fstatSync, openSync, readFileSync, constants } from 'node:fs'
import { join } from 'node:path'
import { passwordFor, type Asked } from './password-lines.ts'

/** As the server would say it: it asks for a password, and nobody has given one. */
class NoPassword extends Error {
  /** PostgreSQL's `invalid_password`. */
  readonly code = '28P01'
}

/**
 * The password for a connection, where neither the address nor PGPASSWORD gives one: that of `~/.pgpass` or PGPASSFILE, by the
 * rules of libpq. The driver's own reading of that file is on its way out, and warns of it.
 */
export function passwordInFile(asked: Asked): string {
  const path = passwordFilePath(process.env)
  const text = path === undefined ? undefined : readPasswordFile(path)
  const found = text === undefined ? undefined : passwordFor(asked, text)
  if (found === undefined) throw new NoPassword('it asks for a password, and none was given')
  return found
}

function passwordFilePath(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { PGPASSFILE: named, HOME: home } = environment
  if (named) return named
  return home ? join(home, '.pgpass') : undefined
}

/** Undefined where there is none. */
function readPasswordFile(path: string): string | undefined {
  let descriptor: number
  try {
    // What stands there may be a pipe: nobody may ever write to it.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile())
      throw new NoPassword(`it asks for a password, and ${path} is not a plain file`)
    if ((found.mode & 0o077) !== 0)
      throw new NoPassword(
        `it asks for a password, and ${path} is not used because others can read it: run chmod 600 on it`,
      )
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}
