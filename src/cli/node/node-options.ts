import type { Zone } from '../../model/calendar.ts'
import { agentQuestions } from '../../service/agent-questions.ts'
import {
  agentSocketPath,
  findNodes,
  isReadable,
  ownNodePath,
} from '../../service/nodes/open-nodes.ts'
import { UserError } from '../../service/user-error.ts'
import { isTeamLedger } from '../../store/ledger/location.ts'
import { isForeignToRoot } from '../../store/strangers.ts'
import { nodeRootPath } from '../../store/node/node-path.ts'
import { questionsOfFile, type NodeQuestions } from '../../store/node/node-questions.ts'
import type { NodeReader } from '../../store/node/node-reader.ts'
import { openNodeReader } from '../../store/node/open-node.ts'
import { nodesOfTeamAt } from '../../store/node/team-nodes-door.ts'
import type { System } from '../../system/system.ts'
import { becomeOwnerOf } from '../ledger/foreign-ledger.ts'
import { Console } from '../terminal/console.ts'
import type { OptionTable } from '../command/define.ts'
import { namedMoment } from '../terminal/named-moment.ts'

const when = 'a date, "yesterday", "last monday", or an age such as 7d'

/** Between when, for every question to the past of nodes. */
export const timeOptions = {
  from: { type: 'string', value: 'WHEN', example: '7d', says: `from then on: ${when}` },
  to: { type: 'string', value: 'WHEN', example: 'yesterday', says: 'up to then, named likewise' },
} as const satisfies OptionTable

/** For what prints no time that depends on a zone. */
export const askedZoneOption = {
  utc: { type: 'boolean', says: 'take --from and --to as UTC instead of local time' },
} as const satisfies OptionTable

export const nodeDatabaseOption = {
  db: {
    type: 'string',
    value: 'PATH',
    example: 'node.db',
    says: 'the database of an agent, or postgres://… of a team; else $JOBMETER_NODE_DB, the one of the node, or, where you may not read that, your own jobs by its agent',
  },
} as const satisfies OptionTable

export const tableFormatOption = {
  format: {
    type: 'choice',
    choices: ['table', 'json', 'csv'],
    default: 'table',
    says: 'output format',
  },
} as const satisfies OptionTable

export const filterOptions = {
  user: {
    type: 'list',
    commas: 'always',
    value: 'USER',
    example: 'ada',
    says: 'only of this user',
  },
  host: {
    type: 'list',
    commas: 'always',
    value: 'HOST',
    example: 'node01',
    says: 'only on this host',
  },
} as const satisfies OptionTable

export const commandOption = {
  type: 'list',
  commas: true,
  value: 'TEXT',
  example: 'python',
  says: 'only commands that contain this',
} as const

/** The moment that an option names; undefined where it was not given. */
export const momentAsked = (
  edge: 'from' | 'to',
  text: string | undefined,
  nowSeconds: number,
  zone: Zone,
): number | undefined => namedMoment({ name: edge, edge, zone }, text, nowSeconds)

/** Where the agent of this user writes. */
export const agentDatabase = (system: System, override: string | undefined): string =>
  ownNodePath(system, process.env, override)

/** Where root's agent answers everybody. */
export const agentSocket = (): string => agentSocketPath(process.env)

/** The one way to what agents kept: by a file, by the agent, which tells callers what is their own, or by a team. */
export function openNode(system: System, override: string | undefined): NodeQuestions {
  const place = findNodes(system, process.env, override)
  if (place.kind === 'file') return questionsOfFile(openFile(place.path))
  if (place.kind === 'team')
    return nodesOfTeamAt(place.address, null, (problem) => new Console().complain(problem))
  return agentQuestions(place.socket, () => new Console().complain(viewersNote))
}

/** The file itself, for what takes the rounds of everybody. */
export function openWholeNode(system: System, override: string | undefined): NodeReader {
  if (isTeamLedger(override || process.env['JOBMETER_NODE_DB']))
    throw new UserError('this takes the database of an agent, a file: name one with --db', 'usage')
  const isNamed = override !== undefined || process.env['JOBMETER_NODE_DB']
  const path =
    !isNamed && isReadable(system, nodeRootPath) ? nodeRootPath : agentDatabase(system, override)
  return openFile(path)
}

/** So that nobody takes it for all that there was. */
const viewersNote = 'your own jobs only; of the others, sums'

function openFile(path: string): NodeReader {
  if (isForeignToRoot(path)) becomeOwnerOf(path)
  return openNodeReader(path)
}
