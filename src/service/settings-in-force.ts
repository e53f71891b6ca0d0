import { keptAlone, nothingKept, withKept, type KeptSettings } from '../model/kept-settings.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import { chosenExecutor } from './executors/choose.ts'
import type { ExecutorName } from './executors/executor-names.ts'
import type { GivenSettings } from './run-settings.ts'

export interface SettingsAsked {
  readonly workflowId: number
  readonly settings: GivenSettings
  /** What was said of earlier runs no longer goes. */
  readonly forgetsSettings?: boolean | undefined
}

export interface SettingsInForce {
  readonly inForce: GivenSettings
  /** What goes only because it was said of an earlier run. */
  readonly keptStill: KeptSettings
  /** What goes for later runs too. */
  readonly toKeep: KeptSettings
}

/** How a workflow is to be run by what is said now, and by what was said of its earlier runs. */
export function settingsInForce(
  ledger: Ledger,
  { workflowId, settings, forgetsSettings = false }: SettingsAsked,
  name: ExecutorName,
): SettingsInForce {
  const kept = forgetsSettings ? nothingKept : settingsKept(ledger, workflowId, name)
  const before = { ...kept, ...outputBefore(ledger, workflowId, name) }
  return {
    inForce: withKept(before, settings),
    keptStill: keptAlone(toTell(kept, before, name), settings),
    toKeep: withKept(kept, lasting(settings)),
  }
}

/** Its runs have their ways to Slurm themselves, from which it is read. */
const lasting = ({ slurmBy: _, ...settings }: GivenSettings): KeptSettings => settings

/** What a machine may give to jobs says nothing of a cluster, nor of the workers of a team. */
function settingsKept(ledger: Ledger, workflowId: number, name: ExecutorName): KeptSettings {
  const kept = ledger.workflows.settingsOf(workflowId)
  if (chosenExecutor(ledger, workflowId, undefined) === name) return kept
  const { maxParallelJobs } = kept.capacity
  return { ...kept, capacity: maxParallelJobs === undefined ? {} : { maxParallelJobs } }
}

/** The nodes of Slurm saw where its last run wrote to, and may not see any other place. */
function outputBefore(
  ledger: Ledger,
  workflowId: number,
  name: ExecutorName,
): { readonly outputDirectory?: string } {
  const last = ledger.workflows.runs(workflowId).at(-1)
  return name === 'slurm' && last?.executor === name
    ? { outputDirectory: last.outputDirectory }
    : {}
}

/** Of what somebody has said, as it is in force. */
function toTell(
  { slurmPollSeconds, ...kept }: KeptSettings,
  { outputDirectory }: KeptSettings,
  name: ExecutorName,
): KeptSettings {
  return {
    ...kept,
    ...(kept.outputDirectory === undefined ? {} : { outputDirectory }),
    ...(name === 'slurm' && slurmPollSeconds !== undefined ? { slurmPollSeconds } : {}),
  }
}
