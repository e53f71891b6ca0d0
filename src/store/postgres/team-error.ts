import { shownAddress } from '../ledger/team-address.ts'
import { sqlStateOf } from './write/refused.ts'

/** Why a team ledger cannot be used. */
export type TeamErrorCode =
  | 'unreachable'
  | 'full'
  | 'refused'
  | 'no-database'
  | 'no-ledger'
  | 'no-rights'
  | 'newer'
  | 'older'
  | 'not-ours'
  | 'failed'

/** A team ledger that cannot be used. The message names the address without its password, and says what to do. */
export class TeamError extends Error {
  override readonly name = 'TeamError'
  readonly code: TeamErrorCode
  /** The message without the address. */
  readonly says: string

  constructor(code: TeamErrorCode, address: string, message: string, cause?: unknown) {
    super(`${shownAddress(address)}: ${message}`, { cause })
    this.code = code
    this.says = message
  }

  /** Whether trying again later may help, with nobody doing anything about it. */
  get isPassing(): boolean {
    return this.code === 'unreachable' || this.code === 'full' || this.code === 'failed'
  }
}

type Told = Exclude<TeamErrorCode, 'newer' | 'older' | 'not-ours'>

/** What is wrong, and what to do about it. */
const advice: Readonly<Record<Told, readonly [what: string, nextStep: string]>> = {
  unreachable: [
    'cannot be reached',
    'See whether PostgreSQL runs there, and whether host, port and network are right (pg_isready -d ADDRESS); then try again',
  ],
  full: [
    'has no room left on its disk',
    'Nothing is lost here: what could not be sent is sent once there is room',
  ],
  refused: [
    'refuses the user or the password',
    'Give the password with PGPASSWORD, ~/.pgpass or in the address',
  ],
  'no-database': [
    'has no such database',
    'Check its name in the address; an administrator makes it with createdb, and the team ledger in it with `jobmeter team init`',
  ],
  'no-ledger': ['holds no team ledger', 'An administrator makes one with `jobmeter team init`'],
  'no-rights': [
    'does not let this role do that',
    'An administrator grants it jobmeter_writer to send what is of the user with its name, jobmeter_node to send what is of anybody and of machines, jobmeter_reader to look, or jobmeter_worker to run jobs',
  ],
  failed: ['failed', 'The log of the server may say more'],
}

/** What was reported by the driver or the server, in our words. */
export function asTeamError(error: unknown, address: string): TeamError {
  if (error instanceof TeamError) return error
  const code = codeOf(error)
  const detail = error instanceof Error ? detailOf(error) : String(error)
  const [what, nextStep] = advice[code]
  const told = `${what} (${hidden(detail, address)})`
  const says = code === 'failed' && !isOfServer(error) ? told : `${told}. ${nextStep}`
  return new TeamError(code, address, says, error)
}

/** PostgreSQL's codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function codeOf(error: unknown): Told {
  const state = sqlStateOf(error)
  if (state === '28P01' || state === '28000') return 'refused'
  if (state === '3D000') return 'no-database'
  if (state === '42P01' || state === '3F000' || state === '42883') return 'no-ledger'
  if (state === '42501') return 'no-rights'
  if (state === '53100') return 'full'
  // Class 57: it shuts down or starts; 53: it has too many connections; 08: the connection broke.
  return /^(57P|53|08)/.test(state) || isOfNetwork(error) ? 'unreachable' : 'failed'
}

const isOfServer = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(sqlStateOf(error)) && !isOfNetwork(error)

/** How Node.js names what is wrong between here and a server. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
])

/** What the driver says in words alone, and what we say of a connection that we cut. */
const networkWords =
  /^(Connection terminated|timeout e(xpired|xceeded)|Query read timeout|no answer for too long|Client (has encountered a connection error|was closed))/

function isOfNetwork(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every(isOfNetwork)
  if (!(error instanceof Error)) return false
  // The name of a socket may lead nowhere, or where we may not go.
  const isConnecting = 'syscall' in error && error.syscall === 'connect'
  return isConnecting || networkCodes.has(sqlStateOf(error)) || networkWords.test(error.message)
}

/** Node tries several addresses of a host, and tells what is wrong with each. */
function detailOf(error: Error): string {
  if (error.message !== '') return error.message
  return error instanceof AggregateError
    ? error.errors.map((each) => (each instanceof Error ? each.message : String(each))).join('; ')
    : error.name
}

function hidden(text: string, address: string): string {
  const password = /^[a-z]+:\/\/[^:@/]*:([^@/]+)@/i.exec(address)?.[1]
  return password === undefined ? text : text.replaceAll(password, '…')
}
