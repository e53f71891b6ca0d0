import { Console } from '../src/cli/terminal/console.ts'
import type { Requirements } from '../src/model/job.ts'
import { noRequirements } from '../src/model/job.ts'
import { measured } from '../src/model/measured.ts'
import type { Outcome } from '../src/model/outcome.ts'
import { emptyUsage, type UsageKey } from '../src/model/usage.ts'
import { plainStyle, type Style } from '../src/render/text/style.ts'
import type { Ledger } from '../src/store/ledger/ledger.ts'
import { someEnd, someStart } from './contracts/attempts.ts'
import type { WorkflowInLedger } from './contracts/workflows.ts'

/** What a job asked for and what came of it; figures that are not given were not measured. */
export interface RecordedAttempt {
  readonly requirements?: Partial<Requirements>
  readonly durationSeconds?: number
  readonly figures?: Partial<Record<UsageKey, number>>
  readonly outcome?: Partial<Outcome>
  readonly machineCores?: number
  readonly runId?: number
  readonly attempt?: number
}

const success = {
  status: 'success',
  exitCode: 0,
  signal: null,
  reason: null,
  stragglers: [],
} as const

/** Puts an attempt that has ended into the ledger. */
export function recordAttempt(
  ledger: Ledger,
  workflow: WorkflowInLedger,
  name: string,
  facts: RecordedAttempt,
): void {
  const { runId = 1, attempt = 1, durationSeconds = 60, machineCores = 64 } = facts
  const requirements = { ...noRequirements, ...facts.requirements }
  const start = someStart(`${workflow.id}-${name}-${attempt}`, {
    job: { name, requirements },
    machine: { host: 'node01', cores: machineCores, memoryBytes: null },
  })
  const place = { jobId: workflow.jobId(name), workflowId: workflow.id, runId, attempt }
  const figures = Object.entries(facts.figures ?? {}).map(
    ([key, value]) => [key, measured(value, 'cgroup')] as const,
  )
  const usage = { ...emptyUsage('no cgroup'), ...Object.fromEntries(figures) }
  const outcome = { ...success, ...facts.outcome }
  ledger.jobs.finish(
    ledger.workflows.beginAttempt(place, start),
    someEnd({ usage, outcome, durationSeconds }),
  )
}

/** A console that keeps what a command says. */
export class RecordingConsole extends Console {
  printed = ''
  noted = ''

  override print(text: string): boolean {
    this.printed += text
    return true
  }

  override printBytes(bytes: Uint8Array): void {
    this.printed += new TextDecoder().decode(bytes)
  }

  override note(text: string): void {
    this.noted += text
  }

  override style(): Style {
    return plainStyle
  }
}
