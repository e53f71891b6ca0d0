import {
  exactShare,
  fixedKeeping,
  formatBytes,
  formatPercent,
  formatSeconds,
  notMeasured,
} from '../../units/figures.ts'
import { shortTaskId } from '../../../model/short-task-id.ts'
import { count } from '../../../model/count.ts'
import { printable } from '../../text/printable.ts'
import { lowerBoundWords } from '../../units/usage-figure.ts'
import type { LawJson, PointJson, RunShareJson, ScalingJson, ShareJson } from './json.ts'

export const shareHeaders = ['Run', 'Resource', 'Used', 'Of', 'Share', 'Verdict'] as const

/** One run is told of all there is to know; of several, rows that can say nothing are told together below. */
export const shareRows = (runs: readonly RunShareJson[]): string[][] =>
  runs.flatMap(({ name, task_id: id, shares }) =>
    shares
      .filter((one) => runs.length === 1 || !saysNothing(one))
      .map((one, index) => [
        index === 0 ? `${printable(name)} ${shortTaskId(printable(id), 8)}` : '',
        ...shareCells(one),
      ]),
  )

const saysNothing = ({ used, share }: ShareJson): boolean => share === null && !used

const formats: Readonly<Record<ShareJson['resource'], (value: number) => string>> = {
  cores: (cores) => fixedKeeping(cores, 1),
  memory: formatBytes,
  disk: (rate) => `${formatBytes(rate)}/s`,
  gpus: String,
}

/** `Share not known: disk (0 B/s; the top speed of the disks was not measured), gpus (it asked for no GPU)`. */
export function foldedShares(runs: readonly RunShareJson[]): string[] {
  if (runs.length < 2) return []
  const folded = runs.flatMap(({ shares }) => shares.filter(saysNothing))
  const resources = [...Map.groupBy(folded, ({ resource }) => resource)].map(([resource, all]) => {
    const reasons = new Set(
      all.map(
        ({ used, why }) =>
          `${used === null ? '' : `${formats[resource](used)}; `}${printable(why ?? '')}`,
      ),
    )
    const some = all.length < runs.length ? ` of ${count(all.length, 'run')}` : ''
    return `${resource}${some} (${[...reasons].join(', or ')})`
  })
  return resources.length === 0 ? [] : [`Share not known: ${resources.join(', ')}.`]
}

const boundOf = (one: ShareJson): string => (one.is_lower_bound ? lowerBoundWords : '')

function shareCells(one: ShareJson): string[] {
  const format = formats[one.resource]
  return [
    one.resource,
    one.used === null ? notMeasured : `${boundOf(one)}${format(one.used)}`,
    one.capacity === null
      ? notMeasured
      : one.resource === 'cores'
        ? String(one.capacity)
        : format(one.capacity),
    one.share === null ? notMeasured : `${boundOf(one)}${formatPercent(100 * one.share)}`,
    verdict(one),
  ]
}

function verdict({ verdict: kind, why }: ShareJson): string {
  switch (kind) {
    case 'idle':
      return 'next to nothing: nearly all of it is free for others'
    case 'little':
      return 'little: several such jobs fit here side by side'
    case 'part':
      return 'in part: there is room for more'
    case 'full':
      return 'full: a larger node is what would help'
    case 'held-back':
      return 'held back: it got fewer cores than it wanted; repeat it where cores are free'
    case 'unknown':
      return `not known: ${printable(why ?? '')}`
  }
}

export const pointHeaders = [
  'Workers',
  'Runs',
  'Time',
  'Speed-Up',
  'Efficiency',
  'Serial Fraction',
] as const

export const pointCells = (point: PointJson): string[] => [
  String(point.workers),
  String(point.runs),
  formatSeconds(point.seconds),
  `${fixedKeeping(point.speed_up, 2)}×`,
  formatPercent(100 * point.efficiency),
  point.serial_fraction === null ? notMeasured : exactShare(point.serial_fraction),
]

/** What follows from the runs, in words. */
export function scalingSentences({
  law,
  points,
  workers_from: source,
  workers_also_in: echoes,
  starved_runs: starved,
  left_out: left,
}: ScalingJson): string[] {
  const leftOut = left.map(
    ({ why, count: runs }) =>
      `Left out: ${count(runs, 'run')}. ${runs === 1 ? 'It' : 'Each'} ${printable(why)}.`,
  )
  if (law === null)
    return [
      'How it scales is not known: that takes successful runs of the same job with at least two different CPU requests (or --param values), and the same parameters otherwise.',
      ...leftOut,
    ]
  return [
    serialSentence(law, points),
    ...(starved > 0 ? [starvedSentence(starved, points)] : [wasteSentence(law), ...misfit(law)]),
    `Workers are counted by the ${printable(source ?? '')}${echoText(echoes)}.`,
    ...leftOut,
  ]
}

const echoText = (echoes: readonly string[]): string =>
  echoes.length === 0
    ? ''
    : `, which ${echoes.map(printable).join(' and ')} ${echoes.length === 1 ? 'repeats' : 'repeat'} in all runs`

function starvedSentence(starved: number, points: readonly PointJson[]): string {
  const runs = points.reduce((sum, point) => sum + point.runs, 0)
  return `This says little: ${starved} of ${count(runs, 'run')} had to wait for CPU time. Repeat the runs where all workers have a core of their own.`
}

/** What repeats differ by is chance, and no law explains that. */
function misfit({ median_error: off, repeat_spread: spread }: LawJson): string[] {
  if (off === null || off <= Math.max(0.15, spread ?? 0)) return []
  const poorly = `Amdahl's law fits poorly (off by up to ${formatPercent(100 * off)})`
  return [
    spread === null
      ? `${poorly}. Repeat the runs: only then chance can be told from another limit.`
      : `${poorly}: something else limits it, such as memory bandwidth or waiting for one another.`,
  ]
}

function serialSentence(law: LawJson, points: readonly PointJson[]): string {
  const { serial_fraction: serial, serial_fraction_low: low, serial_fraction_high: high } = law
  const range =
    low === null || high === null
      ? '; how certain that is cannot be judged, because two runs fit any law'
      : `, between ${exactShare(low)} and ${exactShare(high)} in 95 of 100 cases`
  const shown = exactShare(serial)
  const differs = points.some(
    ({ serial_fraction: own }) => own !== null && exactShare(own) !== shown,
  )
  const table = differs
    ? ' In the table is what the median of each number of workers says by itself.'
    : ''
  return `Serial fraction: ${shown} (Amdahl's law, least squares over all runs)${range}.${table}`
}

function wasteSentence(law: LawJson): string {
  const { worthwhile_workers: most, worthwhile_workers_low: low } = law
  const high = law.worthwhile_workers_high
  if (most === null) {
    const sure = low === null ? '' : ` (at least up to ${low})`
    return `More workers pay off: no limit is in sight${sure}.`
  }
  const range =
    low === null
      ? ''
      : high === null
        ? ` (${low} or more in 95 of 100 cases)`
        : ` (between ${low} and ${high} in 95 of 100 cases)`
  return `More than ${count(most, 'worker')} would be a waste: less than half of them would be used${range}.`
}
