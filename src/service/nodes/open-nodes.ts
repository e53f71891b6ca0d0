import { ledgerPlace } from '../../record/ledger-place.ts'
import { isTeamLedger, teamWord } from '../../store/ledger/location.ts'
import { nodePath, nodeRootPath } from '../../store/node/node-path.ts'
import { questionsOfFile, type NodeQuestions } from '../../store/node/node-questions.ts'
import { openNodeReader } from '../../store/node/open-node.ts'
import { nodesOfTeamAt } from '../../store/node/team-nodes-door.ts'
import type { NodeViewer } from '../../store/node/viewer.ts'
import type { System } from '../../system/system.ts'
import { agentQuestions } from '../agent-questions.ts'
import type { Environment } from '../config-path.ts'
import { neededTeam } from '../team/team-config.ts'
import { UserError } from '../user-error.ts'

/** Where what agents kept can be asked for: in a file, from the agent, which tells callers what is their own, or from a team. */
export type NodePlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'agent'; readonly socket: string }
  | { readonly kind: 'team'; readonly address: string }

/** Where root's agent answers everybody. */
export const agentSocketPath = (environment: Environment): string =>
  environment['JOBMETER_AGENT_SOCKET'] || '/run/jobmeter/agent.sock'

/** Where the agent of this user writes. */
export const ownNodePath = (
  { host }: System,
  environment: Environment,
  override: string | undefined,
): string =>
  nodePath(environment, override, {
    isRoot: process.geteuid?.() === 0,
    homeDirectory: host.homeDirectory,
  })

/** As it is named, or that of the team that is meant here. */
function teamAt(system: System, environment: Environment, named: string): string {
  if (named !== teamWord) return named
  const { path } = ledgerPlace(system, undefined, environment)
  return neededTeam(system, environment, path)
}

/**
 * `option` is what a file is named with. The file that is named; else that of the node, if we may read it; else the agent of the node; else the file of an agent
 * that this user runs.
 */
export function findNodes(
  system: System,
  environment: Environment,
  override: string | undefined,
  option: '--db' | '--node-db' = '--db',
): NodePlace {
  const named = override ?? environment['JOBMETER_NODE_DB']
  if (isTeamLedger(named)) return { kind: 'team', address: teamAt(system, environment, named) }
  const own = ownNodePath(system, environment, override)
  if (override !== undefined || environment['JOBMETER_NODE_DB']) return { kind: 'file', path: own }
  if (isReadable(system, nodeRootPath)) return { kind: 'file', path: nodeRootPath }
  const socket = agentSocketPath(environment)
  if (!system.files.isMissing(socket)) return { kind: 'agent', socket }
  if (isReadable(system, own)) return { kind: 'file', path: own }
  throw new UserError(
    `no agent has kept anything that you may see: ${nodeRootPath} is not there or not yours to read, and nobody answers at ${socket}. Have root run \`jobmeter agent\`, run one yourself, or name a database with ${option}`,
  )
}

/**
 * Opens them for somebody: of all that is not theirs they see sums; null: they see everything that we do. The agent itself
 * decides by who we are, and cannot tell what is another user's; it is waited for so long.
 */
export function openNodesFor(
  place: NodePlace,
  viewer: NodeViewer | null,
  waitSeconds?: number,
): NodeQuestions {
  if (place.kind === 'file') return questionsOfFile(openNodeReader(place.path, viewer ?? undefined))
  if (place.kind === 'team') return nodesOfTeamAt(place.address, viewer)
  if (viewer === null) return agentQuestions(place.socket, () => {}, waitSeconds)
  throw new UserError(
    'the agent tells only what is of the user that asks it: have the server read its database to serve others',
  )
}

export function isReadable({ files }: System, path: string): boolean {
  const descriptor = files.open(path)
  if (descriptor < 0) return false
  files.close(descriptor)
  return true
}
