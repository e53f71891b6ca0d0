import { gigabyte, megabyte } from '../../model/bytes.ts'
import type { KeptSettings } from '../../model/kept-settings.ts'
import { wordToType } from '../text/word-to-type.ts'

/** Each with what says the opposite. */
const switches = {
  failFast: ['--fail-fast', '--keep-going'],
  strictFiles: ['--strict-files', '--no-strict-files'],
  monitored: ['--resource-monitoring', '--no-resource-monitoring'],
} as const

/** How a resumed workflow is run because it was run so before, in the options that say it. */
export function keptSettingsText(kept: KeptSettings): string {
  const values = valuesOf(kept)
  const turned = (['failFast', 'strictFiles', 'monitored'] as const).flatMap((name) => {
    const [on, off] = switches[name]
    if (kept[name] === undefined) return []
    return [kept[name] ? { option: on, other: off } : { option: off, other: on }]
  })
  const options = [...turned.map(({ option }) => option), ...values]
  const ways = [
    ...(values.length === 0 ? [] : ['another value']),
    ...turned.map(({ other }) => other),
  ]
  return `as before: ${options.join(' ')}; to change that, give ${ways.join(' or ')}, or --forget-settings for none of it`
}

function valuesOf(kept: KeptSettings): string[] {
  const { cpus, memoryBytes, gpus, maxParallelJobs } = kept.capacity
  const said = [
    ['max-parallel-jobs', maxParallelJobs],
    ['cpus', cpus],
    ['memory', memoryBytes === undefined ? undefined : exactSize(memoryBytes)],
    ['gpus', gpus],
    ['output-dir', kept.outputDirectory],
    ['grace', seconds(kept.graceSeconds)],
    ['slurm-poll', seconds(kept.slurmPollSeconds)],
    ['alerts', kept.alertFile],
  ] as const
  return said.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${wordToType(String(value))}`],
  )
}

/** It is to be typed again, and to mean the same then. */
function exactSize(bytes: number): string {
  if (bytes % gigabyte === 0) return `${bytes / gigabyte}GB`
  return bytes % megabyte === 0 ? `${bytes / megabyte}MB` : `${bytes}B`
}

const seconds = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${value}s`
