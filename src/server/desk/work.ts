import { openNodesFor, type NodePlace } from '../../service/nodes/open-nodes.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'
import type { QuestionName } from '../../store/node/node-reader.ts'
import type { NodeViewer } from '../../store/node/viewer.ts'
import type { JobRecord } from '../../model/record.ts'
import { openLedgerToLook } from '../../record/open-ledger.ts'
import { readerOf } from '../../store/ledger/ledger-reader.ts'
import type { System } from '../../system/system.ts'
import { readSpec } from '../../workflow/spec/read-spec.ts'
import { answerOfJob, type JobQuestion } from './job-work.ts'

/** Whom to ask about nodes, and for whom. */
export interface NodesFor {
  readonly place: NodePlace
  readonly viewer: NodeViewer | null
  /** How long an agent is waited for. */
  readonly waitSeconds: number
}

/** What clerks do, as data. */
export type Work =
  | { readonly do: 'read spec'; readonly text: string; readonly fileName: string }
  | { readonly do: 'open nodes'; readonly nodes: NodesFor }
  | {
      readonly do: 'ask nodes'
      readonly nodes: NodesFor
      readonly name: QuestionName
      readonly given: readonly unknown[]
    }
  | {
      /** Answered with the text of the JSON: to write that takes as long as the rest. */
      readonly do: 'ask job'
      readonly ledger: string
      readonly record: JobRecord
      readonly asked: JobQuestion
    }

export async function doWork(system: System, work: Work): Promise<unknown> {
  if (work.do === 'read spec') return readSpec(work.text, work.fileName)
  if (work.do === 'ask job') {
    const reader = readerOf(openLedgerToLook(system, work.ledger))
    try {
      return JSON.stringify(await answerOfJob(system, reader, work.record, work.asked))
    } finally {
      await reader.close()
    }
  }
  return withNodes(work.nodes, async (nodes) => {
    if (work.do === 'open nodes') return nodes.path
    const ask = nodes[work.name] as (...given: unknown[]) => Promise<unknown>
    return ask(...work.given)
  })
}

async function withNodes<T>(
  { place, viewer, waitSeconds }: NodesFor,
  use: (nodes: NodeQuestions) => Promise<T>,
): Promise<T> {
  const nodes = openNodesFor(place, viewer, waitSeconds)
  try {
    return await use(nodes)
  } finally {
    await nodes.close()
  }
}
