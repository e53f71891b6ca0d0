import type { AgentConfig } from '../../agent/config/agent-config.ts'
import type { FoundFiles } from '../../import/find-files.ts'
import { importFiles, type ImportWatcher, type RecordReader } from '../../import/import-files.ts'
import { ImportTally } from '../../import/tally.ts'
import { count, formatCount } from '../../model/count.ts'
import { importSummaryJson, importSummaryText } from '../../render/node/import-summary.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { UserError } from '../../service/user-error.ts'
import { openNodeHistory, type NodeHistory } from '../../store/node/history/open-history.ts'
import type { FoundFile } from '../../system/file-tree.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import type { OptionTable } from '../command/define.ts'
import type { Console } from '../terminal/console.ts'
import { loadAgentConfig } from './agent-config.ts'
import { agentDatabase } from './node-options.ts'

/** How long rows are kept, and where, is for the agent to say. */
export const importConfigOption = {
  config: {
    type: 'string',
    value: 'FILE',
    example: '/etc/jobmeter/agent.yaml',
    says: "the agent's configuration, for its database and how long rows are kept",
  },
} as const satisfies OptionTable

interface ImportOptions {
  readonly config: string | undefined
  readonly db: string | undefined
  readonly format: 'table' | 'json'
}

/** Imports files into the database of a node, and tells what came of it. The answer is the exit code. */
export async function runImport(
  console: Console,
  options: ImportOptions,
  found: FoundFiles,
  readerOf: (history: NodeHistory, config: AgentConfig, nowSeconds: number) => RecordReader,
): Promise<number> {
  if (found.kind === 'error') throw new UserError(found.message, 'usage')
  if (found.links.length > 0) console.complain(linksText(found.links))
  const system = realSystem({ ownsProcess: false })
  const config = await loadAgentConfig(system, options.config)
  const path = agentDatabase(system, options.db ?? config.database ?? undefined)
  const history = openNodeHistory(path, { onProblem: (problem) => console.complain(problem) })
  const tally = new ImportTally()
  const watcher = new ImportProgress(system, console, found.files, tally)
  try {
    const reader = readerOf(history, config, system.clock.wallSeconds())
    const isWhole = await importFiles(found.files, reader, tally, watcher)
    watcher.end()
    const summary = tally.summary(history.path, !isWhole)
    if (options.format === 'json') console.print(`${jsonText(importSummaryJson(summary), 2)}\n`)
    else console.print(importSummaryText(summary))
    if (!isWhole) return watcher.exitCode
    const isAllBad = summary.records > 0 && summary.records === summary.refused
    return summary.problems.length > 0 || isAllBad ? 1 : 0
  } finally {
    watcher.end()
    history.close()
  }
}

const mostLinks = 5

function linksText(links: readonly string[]): string {
  const named = links.slice(0, mostLinks).join(', ')
  const are = links.length === 1 ? 'is' : 'are'
  return `${count(links.length, 'link')} ${are} not followed: ${named}${links.length > mostLinks ? ', …' : ''}`
}

const redrawSeconds = 0.2
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Shows on a terminal how far it is, and hears of Ctrl-C. */
class ImportProgress implements ImportWatcher {
  readonly #system: System
  readonly #console: Console
  readonly #tally: ImportTally
  readonly #allBytes: number
  readonly #isLive: boolean
  #readBytes = 0
  #drawnAt = Number.NEGATIVE_INFINITY
  readonly #stop = new AbortController()
  readonly signal = this.#stop.signal
  exitCode = 0

  constructor(system: System, console: Console, files: readonly FoundFile[], tally: ImportTally) {
    this.#system = system
    this.#console = console
    this.#tally = tally
    this.#allBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    this.#isLive = console.isTerminal(2) && process.env['TERM'] !== 'dumb'
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      system.processes.onSignal(signal, () => {
        this.exitCode = exitCodes[signal]
        this.#stop.abort()
      })
  }

  read(bytes: number, { path }: FoundFile): void {
    this.#readBytes += bytes
    const now = this.#system.clock.monotonicSeconds()
    if (!this.#isLive || now - this.#drawnAt < redrawSeconds) return
    this.#drawnAt = now
    const percent = Math.floor((100 * this.#readBytes) / Math.max(1, this.#allBytes))
    const name = path.slice(path.lastIndexOf('/') + 1).slice(0, 40)
    this.#console.erase(0)
    this.#console.note(
      `${Math.min(100, percent)} %, ${formatCount(this.#tally.records)} records, ${name}`,
    )
  }

  end(): void {
    if (this.#drawnAt > 0) this.#console.erase(0)
    this.#drawnAt = Number.NEGATIVE_INFINITY
  }
}
