import { closeSync, fstatSync, openSync, readFileSync, constants } from 'node:fs'
import { join } from 'node:path'

/** What a connection is to, as the driver knows it. */
interface Asked {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
}

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

/**
 * That of the first line that fits, of lines `host:port:database:user:password`: any field but the password may be `*`, and a
 * backslash stands before a character that means itself. Sockets of the usual place are `localhost`.
 */
export function passwordFor(asked: Asked, text: string): string | undefined {
  const host = asked.host === '' || asked.host === usualSockets ? 'localhost' : asked.host
  const fields = [host, String(asked.port), asked.database, asked.user]
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    let rest: string | undefined = line
    for (const field of fields) if (rest !== undefined) rest = afterField(rest, field)
    if (rest !== undefined) return unescaped(firstField(rest)) || undefined
  }
  return undefined
}

const usualSockets = '/var/run/postgresql'

/** What comes after the first field of a line, if that is `*` or this value. */
function afterField(line: string, value: string): string | undefined {
  if (line.startsWith('*:')) return line.slice(2)
  const field = firstField(line)
  const isSame = line[field.length] === ':' && unescaped(field) === value
  return isSame ? line.slice(field.length + 1) : undefined
}

/** As it is written, up to a colon that has no backslash before it. */
const firstField = (line: string): string => /^(?:[^\\:]|\\.|\\$)*/.exec(line)?.[0] ?? ''

const unescaped = (field: string): string => field.replaceAll(/\\(.)/g, '$1')
