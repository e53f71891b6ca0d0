/** What a connection is to, as the driver knows it. */
export interface Asked {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
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
