import { dirname, join } from 'node:path'
import type { ServerConfig } from '../../server/config/server-config.ts'
import { refuseInTeam } from '../../server/access/team-actions.ts'
import { OwnMetricsBook } from '../../server/own-metrics.ts'
import { Desk } from '../../server/desk/desk.ts'
import { nodesByDesk } from '../../server/desk/nodes-by-desk.ts'
import type { Work } from '../../server/desk/work.ts'
import { JsonText } from '../../server/json-text.ts'
import type { Served } from '../../server/served.ts'
import { NotStarted, sameProgram, type StartPlace } from '../../service/actions/start-program.ts'
import { MetricsGatherer } from '../../service/metrics/metrics-gatherer.ts'
import { findNodes } from '../../service/nodes/open-nodes.ts'
import { UserError } from '../../service/user-error.ts'
import { StoreError } from '../../store/errors.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'
import { TeamNodesDoor } from '../../store/node/team-nodes-door.ts'
import { makePrivateDirectories } from '../../store/private-file.ts'
import type { System } from '../../system/system.ts'
import { startThread } from '../../system/worker-thread.ts'
import type { SpecResult } from '../../workflow/spec/read-spec.ts'
import { doctorReport } from '../doctor/doctor-report.ts'
import type { LedgerToServe } from '../ledger/ledger.ts'
import { version } from '../version.ts'
import { answerSeconds, ledgerPart } from './ledger-part.ts'
import { webFiles } from './web-files.ts'

export interface OpenedServed extends Served {
  close(): void
}

interface ServedPlace {
  /** The database of an agent, where somebody named one. */
  readonly nodePath?: string | undefined
  readonly closing: AbortSignal
  readonly tell: (problem: string) => void
}

/** Whoever asks waits, and one of the few clerks with them. */
const agentSeconds = 5

/** All that a server answers from: the ledger, what lies beside it, and what agents kept. */
export function openServed(
  system: System,
  place: LedgerToServe,
  { actions }: Pick<ServerConfig, 'actions'>,
  { nodePath, closing, tell }: ServedPlace,
): OpenedServed {
  const { startBeside, ownPath, close, ...served } = ledgerPart(system, place, tell)
  const environment = process.env
  const own = new OwnMetricsBook({ version, startedAt: system.clock.wallSeconds() })
  const desk = new Desk((listener) => startThread('server/desk/clerk', listener), system.clock)
  let team: TeamNodesDoor | undefined
  const openNode: Served['openNode'] = async (viewer) => {
    const nodes = findNodes(system, environment, nodePath ?? place.team, '--node-db')
    if (nodes.kind === 'team') {
      team ??= new TeamNodesDoor(nodes.address, tell, answerSeconds)
      return team.askFor(viewer)
    }
    return nodesByDesk(desk, { place: nodes, viewer, waitSeconds: agentSeconds })
  }
  const metrics = new MetricsGatherer({
    system,
    reader: served.ledger,
    openNode: () => nodeIfAny(openNode),
    onReadError: (part) => own.readError(part),
  })
  return {
    system,
    version,
    environment,
    ...served,
    openNode,
    jobsByDesk: startBeside === null ? null : jobsByDesk(desk, startBeside),
    readSpec: async ({ text, fileName }, who) =>
      (await desk.ask({ do: 'read spec', text, fileName }, who)) as SpecResult,
    startPlace: () => (startBeside === null ? refuseInTeam() : startPlaceOf(startBeside, actions)),
    doctor: () => doctorReport(system, ownPath),
    web: webFiles(system),
    metrics,
    own,
    actions,
    closing,
    close: () => {
      desk.close()
      // Nobody is left to be told.
      team?.close().catch(() => {})
      metrics.close()
      own.close()
      close()
    },
  }
}

/** Without an agent, this machine is looked at. */
async function nodeIfAny(openNode: Served['openNode']): Promise<NodeQuestions | undefined> {
  try {
    return await openNode(null)
  } catch (error) {
    if (error instanceof UserError || error instanceof StoreError) return undefined
    throw error
  }
}

/** What is started writes beside the ledger. */
function startPlaceOf(
  ledger: string,
  { workingDirectory, environment }: ServerConfig['actions'],
): StartPlace {
  const logDirectory = join(dirname(ledger), 'submitted')
  try {
    makePrivateDirectories(logDirectory)
  } catch {
    throw new NotStarted(`${logDirectory} cannot be made`)
  }
  return {
    program: sameProgram(),
    ledger,
    workingDirectory: workingDirectory ?? process.cwd(),
    environment: { ...process.env, ...environment },
    logDirectory,
  }
}

const jobsByDesk =
  (desk: Desk, ledger: string): NonNullable<Served['jobsByDesk']> =>
  async (record, asked, who) => {
    const work: Work = { do: 'ask job', ledger, record, asked }
    return new JsonText(String(await desk.ask(work, who)))
  }
