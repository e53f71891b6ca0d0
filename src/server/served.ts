import type { HttpBindings } from '@hono/node-server'
import type { StartPlace } from '../service/actions/start-program.ts'
import type { JobRecord } from '../model/record.ts'
import type { LiveFeed } from '../service/live/live-feed.ts'
import type { MetricsGatherer } from '../service/metrics/metrics-gatherer.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import type { NodeQuestions } from '../store/node/node-questions.ts'
import type { NodeViewer } from '../store/node/viewer.ts'
import type { System } from '../system/system.ts'
import type { Asker } from './access/asker.ts'
import type { Viewer } from './access/viewer.ts'
import type { ActionsConfig } from './config/server-config.ts'
import type { JobQuestion } from './desk/job-work.ts'
import type { SubmittedSpec } from '../service/actions/submit-workflow.ts'
import type { SpecResult } from '../workflow/spec/read-spec.ts'
import type { JsonText } from './json-text.ts'
import type { OwnMetricsBook } from './own-metrics.ts'
import type { WebFiles } from './web-files.ts'

/** All that the routes answer from. */
export interface Served {
  readonly system: System
  readonly version: string
  readonly ledger: LedgerReader
  /** Has the next question to the ledger answered with all that was written until now. */
  readonly catchUp: () => Promise<void>
  readonly web: WebFiles
  /** What agents kept of nodes, for one question: all of it (null), or what one viewer may see. */
  readonly openNode: (viewer: NodeViewer | null) => Promise<NodeQuestions>
  /** Has another thread answer what takes all samples of a long job; null: the ledger is not a file. */
  readonly jobsByDesk:
    | ((record: JobRecord, asked: JobQuestion, who: string) => Promise<JsonText>)
    | null
  /** Has another thread read a workflow file that somebody sends: a large one takes seconds. */
  readonly readSpec: (sent: SubmittedSpec, who: string) => Promise<SpecResult>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Does something to the ledger. */
  readonly change: <T>(act: (ledger: Ledger) => T | Promise<T>) => Promise<T>
  /** Where and how what people submit is started. */
  readonly startPlace: () => StartPlace
  /** What can be measured on this machine. */
  readonly doctor: () => Promise<object>
  /** One reading of what happens for all who listen. */
  readonly feed: LiveFeed
  readonly metrics: MetricsGatherer
  /** What the server tells of itself. */
  readonly own: OwnMetricsBook
  /** What people may have the server do. */
  readonly actions: ActionsConfig
  /** Aborted when the server ends: whatever streams ends with it. */
  readonly closing: AbortSignal
}

/** What a request carries on its way. */
export interface ServerEnv {
  /** Missing where a test asks without a socket. */
  readonly Bindings: Partial<HttpBindings>
  readonly Variables: {
    /** Where a rule asks for somebody who is signed in. */
    viewer: Viewer
    /** Who says who they are, whether the route needs it or not. */
    asker: Asker | undefined
    /** Who asks: the other end of the connection, or whom a trusted proxy names. */
    address: string
    /** For the log: why it was refused, where the status does not say enough. */
    refusal: string | undefined
  }
}
