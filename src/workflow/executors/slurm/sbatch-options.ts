import type { Requirements } from '../../../model/job.ts'
import { parseBytes } from '../../../model/bytes.ts'
import { parseDuration } from '../../../model/duration.ts'

/** An entry of `slurm_schedulers`, as it was written. */
export interface SlurmScheduler {
  readonly name: string
  readonly account?: string
  readonly partition?: string
  readonly nodes?: number
  readonly walltime?: string
  readonly mem?: string | number
  readonly gres?: string
  readonly qos?: string
  readonly ntasks_per_node?: number
  readonly tmp?: string | number
  readonly extra?: string
}

export type SlurmDefaults = Readonly<Record<string, string | number | boolean>>

/** What one job of a workflow asks of Slurm. */
export interface SlurmRequest {
  readonly requirements: Requirements
  readonly nodes: number | null
  readonly scheduler: SlurmScheduler | undefined
  readonly defaults: SlurmDefaults
}

interface AllocationSpec {
  readonly defaults: SlurmDefaults
  /** The most that one of its jobs asks for. */
  readonly mostCpus: number
  /** null: none of them says. */
  readonly mostMemoryBytes: number | null
}

/** Options for a Slurm job that runs one job of a workflow: what that asks for comes before what its scheduler says. */
export function jobOptions({ requirements, nodes, scheduler, defaults }: SlurmRequest): string[] {
  const { cpus, memoryBytes, gpus, runtimeSeconds } = requirements
  const mem = memoryBytes ?? bytesOf(scheduler?.mem)
  const time = runtimeSeconds ?? secondsOf(scheduler?.walltime)
  const gres = gpus === null ? scheduler?.gres : gpus === 0 ? undefined : `gpu:${gpus}`
  return [
    ...fromDefaults(defaults),
    ...fromScheduler(scheduler),
    `--nodes=${nodes ?? 1}`,
    '--ntasks-per-node=1',
    ...(cpus === null ? [] : [`--cpus-per-task=${Math.ceil(cpus)}`]),
    ...(mem === null ? [] : [`--mem=${mebibytes(mem)}M`]),
    ...(time === null ? [] : [`--time=${minutes(time)}`]),
    ...(gres === undefined ? [] : [`--gres=${gres}`]),
    ...wordsIn(scheduler?.extra),
  ]
}

/** Options that say how many CPUs there are to be. */
const onCpus =
  /^(-c|-n|--cpus-per-task|--cpus-per-gpu|--ntasks|--ntasks-per-node|--mincpus|--exclusive)/

/** And how much memory. */
const onMemory = /^--mem/

/**
 * Options for an allocation in which workers run many jobs: as its scheduler says. Where that says nothing of CPUs or memory,
 * Slurm would give little of them; the largest job is to fit.
 */
export function allocationOptions(
  scheduler: SlurmScheduler | undefined,
  { defaults, mostCpus, mostMemoryBytes }: AllocationSpec,
): string[] {
  const time = secondsOf(scheduler?.walltime)
  const said = [...fromDefaults(defaults), ...wordsIn(scheduler?.extra)]
  const saysCpus =
    scheduler?.ntasks_per_node !== undefined || said.some((word) => onCpus.test(word))
  const saysMemory = said.some((word) => onMemory.test(word))
  const mem = bytesOf(scheduler?.mem) ?? (saysMemory ? null : mostMemoryBytes)
  return [
    ...fromDefaults(defaults),
    ...fromScheduler(scheduler),
    `--nodes=${scheduler?.nodes ?? 1}`,
    ...(saysCpus || mostCpus <= 1 ? [] : [`--cpus-per-task=${Math.ceil(mostCpus)}`]),
    ...(scheduler?.ntasks_per_node === undefined
      ? []
      : [`--ntasks-per-node=${scheduler.ntasks_per_node}`]),
    ...(mem === null ? [] : [`--mem=${mebibytes(mem)}M`]),
    ...(time === null ? [] : [`--time=${minutes(time)}`]),
    ...(scheduler?.gres === undefined ? [] : [`--gres=${scheduler.gres}`]),
    ...wordsIn(scheduler?.extra),
  ]
}

/** `{qos: 'high', exclusive: true}` is `--qos=high --exclusive`. */
const fromDefaults = (defaults: SlurmDefaults): string[] =>
  Object.entries(defaults).flatMap(([name, value]) => {
    const option = `--${name.replaceAll('_', '-')}`
    if (value === false) return []
    return [value === true ? option : `${option}=${value}`]
  })

function fromScheduler(scheduler: SlurmScheduler | undefined): string[] {
  const { account, partition, qos, tmp } = scheduler ?? {}
  const tmpBytes = bytesOf(tmp)
  return [
    ...(account === undefined ? [] : [`--account=${account}`]),
    ...(partition === undefined ? [] : [`--partition=${partition}`]),
    ...(qos === undefined ? [] : [`--qos=${qos}`]),
    ...(tmpBytes === null ? [] : [`--tmp=${mebibytes(tmpBytes)}M`]),
  ]
}

/** Never less than was asked for. */
const mebibytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / 2 ** 20))

/** Slurm counts whole minutes. */
const minutes = (seconds: number): number => Math.max(1, Math.ceil(seconds / 60))

const bytesOf = (size: string | number | undefined): number | null =>
  size === undefined ? null : (parseBytes(String(size)) ?? null)

const secondsOf = (time: string | undefined): number | null =>
  time === undefined ? null : (parseDuration(time) ?? null)

/** The words of a line, as a shell parts them: quotes keep blanks together. */
export function wordsIn(line: string | undefined): string[] {
  const words = line?.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
