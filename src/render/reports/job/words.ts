import type { AdviceAbout } from '../../../analysis/job/advice.ts'
import { marginPercent, requestMargins } from '../../../analysis/policy.ts'
import { askedSize, kilobyte } from '../../../model/bytes.ts'
import { roughCores } from '../../../model/rough-figures.ts'
import {
  askedSeconds,
  fixedKeeping,
  formatBytes,
  formatPercent,
  formatSeconds,
} from '../../units/figures.ts'
import { count, countCores } from '../../../model/count.ts'
import type { MemoryJson, PartJson, PhaseJson } from './facts.ts'
import { lowerBoundWords } from '../../units/usage-figure.ts'

/** Rates below this are not worth words. */
const leastRate = 100 * kilobyte

/** `reads 80.0 MB/s, 0.2 cores, memory grows to 1.0 GB` */
export function phaseWords(phase: Omit<PhaseJson, 'says'>): string {
  const { kind, cpu_cores: cores, read_bytes_per_second: read } = phase
  const write = phase.write_bytes_per_second
  const parts = [
    kind === 'idle' ? 'idle' : cores === null ? null : `${roughCores(cores)} cores busy`,
    read !== null && read >= leastRate ? `reads ${formatBytes(read)}/s` : null,
    write !== null && write >= leastRate ? `writes ${formatBytes(write)}/s` : null,
    memoryMove(phase),
  ]
  return parts.filter((part) => part !== null).join(', ') || 'nothing was sampled'
}

function memoryMove(phase: Omit<PhaseJson, 'says'>): string | null {
  const { memory_start_bytes: from, memory_end_bytes: to, memory_peak_bytes: peak } = phase
  if (from === null || to === null || peak === null) return null
  const change = (to - from) / Math.max(peak, 1)
  if (Math.abs(change) < 0.1) return `${formatBytes(peak)} of memory`
  return `memory ${change > 0 ? 'grows' : 'falls'} from ${formatBytes(from)} to ${formatBytes(to)}`
}

export function memorySentence(memory: Omit<MemoryJson, 'says'>, why: string): string {
  const { bytes_per_hour: pace, r_squared: fit, rising_share: rising } = memory
  switch (memory.trend) {
    case 'leak':
      return (
        `Leaks: grows steadily by ${formatBytes(pace ?? 0)} an hour ` +
        `(a straight line fits with R² ${fixedKeeping(fit ?? 0, 2)}, and it rises ${formatPercent(100 * (rising ?? 0))} of the time)${reach(memory)}.`
      )
    case 'step': {
      const bytes = memory.step_bytes ?? 0
      const verb = bytes < 0 ? 'gives back' : 'takes'
      return `No leak: ${verb} ${formatBytes(Math.abs(bytes))} in one step after ${formatSeconds(memory.step_seconds ?? 0)} and stays level.`
    }
    case 'sawtooth':
      return `No leak: fills and empties ${memory.teeth ?? 0} times, as a garbage collector does.`
    case 'levels-off':
      return 'No leak: grows, then holds.'
    case 'steady':
      return 'No leak: holds its level.'
    case 'varies':
      return 'No leak: goes up and down without a trend.'
    case 'unknown':
      return `Whether it leaks is not known: ${why}.`
  }
}

function reach({ limit, limit_bytes: bytes, limit_reached_seconds: at }: Omit<MemoryJson, 'says'>) {
  if (limit === null || bytes === null || at === null) return ''
  const what = { request: 'it asked for', limit: 'its limit allows', machine: 'the machine has' }[
    limit
  ]
  return `; after ${formatSeconds(at)} it would hold the ${formatBytes(bytes)} that ${what}`
}

/** `50 % of 8 requested`. */
export function shareWords(part: PartJson, format: (value: number) => string, why: string): string {
  const { share, used, of, basis } = part
  const bound = part.is_lower_bound ? lowerBoundWords : ''
  if (share === null) {
    const amount = used === null ? '' : `${bound}${format(used)} used; `
    return `${amount}not known (${why})`
  }
  const whose =
    basis === 'machine'
      ? 'on the machine; nothing was requested'
      : basis === 'limit'
        ? 'that its limit allows'
        : 'requested'
  return `${bound}${formatPercent(100 * share)}: ${bound}${format(used ?? 0)} of ${format(of ?? 0)} ${whose}`
}

/** One thing to do, with the figure that goes with it. */
export function adviceSentence(
  about: AdviceAbout,
  figures: Readonly<Record<string, number>>,
): string {
  const { ask_bytes: bytes, ask_seconds: seconds, ask_cores: cores, asked_cores: asked } = figures
  const lasted = formatSeconds(figures['seconds'] ?? 0)
  switch (about) {
    case 'out-of-memory':
      if (figures['limit_bytes'] !== undefined)
        return `Raise its memory limit (--memory-limit, or memory_limit of its tool)${bytes === undefined ? '' : `, such as to ${askedSize(bytes)}`}: it was killed because memory ran out.`
      if (figures['container_limit_bytes'] !== undefined)
        return `Raise the memory limit of the container (--memory of its command)${bytes === undefined ? '' : `, such as to ${askedSize(bytes)}`}: it was killed because memory ran out.`
      return bytes === undefined
        ? 'Ask for more memory: it was killed because memory ran out.'
        : `Ask for more memory, such as ${askedSize(bytes)}: it was killed because memory ran out.`
    case 'over-time':
      return `Ask for more time, such as ${askedSeconds(seconds ?? 0)}: it was stopped by its limit. Or have it save its state and resume from there.`
    case 'leak': {
      const at = figures['limit_reached_seconds']
      const when = at === undefined ? '' : ` before it runs for ${formatSeconds(at)}`
      return `Find what keeps growing by ${formatBytes(figures['bytes_per_hour'] ?? 0)} an hour, or restart it${when}.`
    }
    case 'short-of-memory':
      return bytes === undefined
        ? 'Give it more memory, or have it hold less at a time: it waits for memory.'
        : `Give it more memory (at least ${askedSize(bytes)}), or have it hold less at a time: it waits for memory.`
    case 'idle-tail':
      return `End it when its work is done: it did nothing for the last ${lasted}. Look for a process that waits for a timeout or a lock.`
    case 'serial':
      return asked === undefined
        ? 'More cores will not help: it uses one. Run several side by side, or make its main loop parallel.'
        : `Ask for 1 core instead of ${asked}: it uses one. Or make its main loop parallel.`
    case 'too-many-cores':
      return `Ask for ${count(cores ?? 1, 'core')} instead of ${asked ?? 0}: it hardly ever uses more.`
    case 'too-few-cores':
      return `Ask for ${count(cores ?? 1, 'core')} instead of ${asked ?? 0}: it used more than it asked for.`
    case 'storage':
      return 'Bring its data nearer: a local disk or memory for what is read often, larger pieces at a time, reading ahead while it computes.'
    case 'crowded':
      return 'Run it where cores are free, or ask for cores that no other job is given: it waits for them.'
    case 'start-up':
      return `Shorten its start: it took ${lasted} to get busy. Keep what it loads or prepares for the next run.`
    case 'waiting':
      return 'Find what it waits for (network, a lock, input, sleep): it hardly computes. Several such jobs can share one core.'
    case 'too-little-memory':
      return `Ask for ${askedSize(bytes ?? 0)} of memory instead of ${formatBytes(figures['asked_bytes'] ?? 0)}: it used more than it asked for.`
    case 'too-little-time':
      return `Ask for ${askedSeconds(seconds ?? 0)} of time instead of ${formatSeconds(figures['asked_seconds'] ?? 0)}: it took longer than it asked for.`
    case 'too-much-memory':
      return `Ask for ${askedSize(bytes ?? 0)} of memory instead of ${formatBytes(figures['asked_bytes'] ?? 0)}: that covers its peak plus ${marginPercent(requestMargins.memory)} %.`
    case 'too-much-time':
      return `Ask for ${askedSeconds(seconds ?? 0)} of time instead of ${formatSeconds(figures['asked_seconds'] ?? 0)}: that covers what it took plus ${marginPercent(requestMargins.runtime)} %.`
    case 'more-cores':
      if (figures['container_cores'] !== undefined)
        return `Try a higher CPU limit of its container (${countCores(figures['container_cores'])}; the machine has ${figures['machine_cores'] ?? 0}): it keeps all that it may use busy.`
      return `Try more cores (the machine has ${figures['machine_cores'] ?? 0}): it keeps all it has busy. jobmeter reports scaling then shows whether that pays.`
    case 'unused-gpus':
      return `Ask for ${count(figures['ask_gpus'] ?? 0, 'GPU')} instead of ${figures['asked_gpus'] ?? 0}: the others were never used. Or see that the program finds them.`
    case 'gpu-feeding':
      return 'Feed the GPU faster: load and prepare data in more processes (num_workers), ahead of time, or on the card itself.'
    case 'small-kernels':
      return 'Give the GPU more at a time: larger batches, fused operations, CUDA graphs or torch.compile.'
    case 'shared-gpus':
      return 'Run it where a GPU is free, or give it one of its own (num_gpus, CUDA_VISIBLE_DEVICES): others work on the one that it uses.'
    case 'no-samples':
      return (figures['samples'] ?? 0) > 0
        ? 'Keep its samples to see its phases and whether it leaks: in a workflow with granularity: time_series, in jobmeter run by leaving out --no-series.'
        : 'Have it watched to see its phases and whether it leaks: with neither --no-monitor nor --metrics none, and in a workflow with resource_monitor enabled.'
  }
}
