import type { Pruned } from '../../model/pruned.ts'
import { utcTime } from '../units/iso-time.ts'

export interface PruneJson {
  readonly dry_run: boolean
  /** Of single commands and of workflows. */
  readonly attempts: number
  readonly samples: number
  /** About so much of the file. */
  readonly bytes: number
  readonly workflows: readonly PrunedWorkflowJson[]
  /** Folders of those workflows, which stay. */
  readonly kept_directories: readonly string[]
}

interface PrunedWorkflowJson {
  readonly workflow_id: number
  readonly name: string
  readonly last_active: string | null
  readonly jobs: number
  readonly attempts: number
  readonly samples: number
  readonly bytes: number
}

export function pruneJson({ commands, workflows }: Pruned, isDryRun: boolean): PruneJson {
  const total = (figure: 'attempts' | 'samples' | 'bytes'): number =>
    workflows.reduce((sum, workflow) => sum + workflow[figure], commands[figure])
  return {
    dry_run: isDryRun,
    attempts: total('attempts'),
    samples: total('samples'),
    bytes: total('bytes'),
    workflows: workflows.map((workflow) => ({
      workflow_id: workflow.workflowId,
      name: workflow.name,
      last_active: utcTime(workflow.lastActiveAt),
      jobs: workflow.jobs,
      attempts: workflow.attempts,
      samples: workflow.samples,
      bytes: workflow.bytes,
    })),
    kept_directories: [...new Set(workflows.flatMap((workflow) => workflow.outputDirectories))],
  }
}
