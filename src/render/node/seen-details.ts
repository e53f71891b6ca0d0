import type { EvenSeries } from '../../analysis/series/even-series.ts'
import { jobShares } from '../../analysis/node/job-shares.ts'
import type { RequestPart } from '../../analysis/node/next-request.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import type { SeenSeries } from '../../model/seen-round.ts'
import { sparklines } from '../reports/job/text.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { exactShare, fixedKeeping, formatBytes, orDash, tableSeconds } from '../units/figures.ts'
import { utcTime } from '../units/iso-time.ts'
import { nextTime } from './next-request.ts'

/** What is known of a job besides its record because the agent saw it on a node. */
export function seenSections(
  job: SeenJob,
  series: EvenSeries | null,
  next: readonly RequestPart[],
  style: Style,
): string {
  const { runtimeSeconds, ...shares } = jobShares(job)
  const cores = orDash(shares.meanCores, (value) => fixedKeeping(value, 2))
  const memory = orDash(job.memoryPeakBytes, formatBytes)
  const gpus = orDash(shares.meanGpus, (value) => fixedKeeping(value, 2))
  const place = (ofAsked: number | null, ofNode: number | null): string =>
    [
      ...(ofAsked === null ? [] : [`${exactShare(ofAsked)} of what it asked for`]),
      ...(ofNode === null ? [] : [`${exactShare(ofNode)} of the node`]),
    ].join(', ')
  const line = (name: string, used: string, of: string): string =>
    of === '' ? `${name}: ${used}` : `${name}: ${used}, ${of}`
  const looked = runtimeSeconds > 0 ? Math.min(1, job.seenSeconds / runtimeSeconds) : 1
  const sections: [string, string[]][] = [
    [
      'On The Node',
      [
        `Kind: ${job.kind}${job.account === null ? '' : `, account ${printable(job.account)}`}`,
        `Looked At: ${tableSeconds(job.seenSeconds)} of ${tableSeconds(runtimeSeconds)} (${exactShare(looked)})`,
        line('Cores', cores, place(shares.cpuOfReservation, shares.cpuOfNode)),
        line('Memory', memory, place(shares.memoryOfReservation, shares.memoryOfNode)),
        ...(shares.meanGpus === null
          ? []
          : [line('GPUs', gpus, place(shares.gpuOfReservation, shares.gpuOfNode))]),
      ],
    ],
    ['Over Time', sparklines(series, style)],
    ['Next Time', nextTime(next)],
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) =>
      [style.bold(`${title}:`), ...lines.map((one) => `  ${one}`)].join('\n'),
    )
    .join('\n\n')
}

/** What it did over time, as scripts read it. */
export const seenSeriesJson = ({ kind, rounds }: SeenSeries): object => ({
  each: kind,
  rounds: rounds.map((round) => ({
    to: utcTime(round.to),
    seconds: round.seconds,
    cpu_seconds: round.cpuSeconds,
    memory_bytes: round.memoryBytes,
    memory_peak_bytes: round.memoryPeakBytes,
    read_bytes: round.readBytes,
    write_bytes: round.writeBytes,
    gpu_seconds: round.gpuSeconds,
    gpu_memory_bytes: round.gpuMemoryBytes,
    node_seconds: round.nodeSeconds,
    node_cpu_seconds: round.nodeCpuSeconds,
  })),
})
