import { furtherFigures, type Usage, type UsageKey } from '../../model/usage.ts'
import {
  fixedKeeping,
  formatBytes,
  formatCount,
  formatJoules,
  formatPercent,
  formatSeconds,
} from './figures.ts'

/** What people call the figures of a usage, in the groups in which they are shown. */
const usageGroups: readonly (readonly [string, Partial<Record<UsageKey, string>>])[] = [
  [
    'CPU',
    {
      cpuPercentMean: 'mean (100 % = one core)',
      cpuPercentPeak: 'peak (1 s or whole job)',
      cpuPercentP95: '95th percentile',
      cpuPressureSeconds: 'waited for a free core',
      voluntarySwitches: 'switches, voluntary',
      involuntarySwitches: 'switches, involuntary',
    },
  ],
  [
    'Memory',
    {
      memoryPeakBytes: 'peak, shared pages counted once',
      memoryMeanBytes: 'mean',
      memoryMinBytes: 'lowest',
      rssSumPeakBytes: 'peak of summed RSS',
      largestProcessPeakBytes: 'largest process',
      swapPeakBytes: 'swapped out, peak',
      cgroupMemoryPeakBytes: 'cgroup peak, with page cache',
      processesKilledForMemory: 'processes killed for memory',
      memoryPressureSeconds: 'waited for memory',
      minorFaults: 'faults from memory',
      majorFaults: 'faults from storage',
    },
  ],
  [
    'I/O',
    {
      readBytes: 'read from storage',
      writeBytes: 'written to storage',
      readChars: 'read, including cached',
      writeChars: 'written, including cached',
      readCalls: 'read calls',
      writeCalls: 'write calls',
      ioDelaySeconds: 'processes waited for block I/O',
      ioPressureSeconds: 'waited for storage',
    },
  ],
  [
    'Processes',
    {
      processesPeak: 'most at one time',
      threadsPeak: 'threads, most at one time',
      processesStarted: 'started in total',
    },
  ],
  [
    'Machine',
    {
      machineCpuPercentMean: 'CPU, mean of all cores',
      machineCpuPercentMax: 'CPU, highest',
      machineCpuPercentMin: 'CPU, lowest',
      machineIoWaitPercentMean: 'idle waiting for I/O, mean',
      machineCpuPressureSeconds: 'some task waited for a CPU',
      machineMemoryPressureSeconds: 'some task waited for memory',
      machineIoPressureSeconds: 'some task waited for I/O',
      machineMemoryMeanBytes: 'memory in use, mean',
      machineMemoryMaxBytes: 'memory in use, highest',
      machineMemoryMinBytes: 'memory in use, lowest',
      machineDiskReadBytes: 'read from disks',
      machineDiskWriteBytes: 'written to disks',
      machineNetReceivedBytes: 'received from the network',
      machineNetSentBytes: 'sent to the network',
    },
  ],
]

/** Of gauges that are seldom wanted, by what their keys begin with. */
const kinds: readonly (readonly [group: string, names: RegExp])[] = [
  ['Network', /^net[A-Z]/],
  ['Threads', /^busiestThread/],
  ['Container', /^container[A-Z]/],
  ['Energy', /energyJoules$/i],
  ['Limits', /^memoryLimit/],
]
const other = 'Other'

/** The groups in which these usages are shown. What only some gauge knows of comes last, called by its key. */
export function groupsOf(
  usages: readonly Usage[],
): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  const keys = [...new Set(usages.flatMap(furtherFigures).map(([key]) => key))]
  if (keys.length === 0) return usageGroups
  const isOfGpu = (key: string): boolean => /^gpu(\d|[A-Z])/.test(key)
  const groupOf = (key: string): string =>
    isOfGpu(key) ? 'GPU' : (kinds.find(([, names]) => names.test(key))?.[0] ?? other)
  const byGroup = Map.groupBy(keys, groupOf)
  const labelled = (of: readonly string[]): Record<string, string> =>
    Object.fromEntries(of.map((key) => [key, labelOf(key)]))
  return [
    ...usageGroups,
    ...['GPU', ...kinds.map(([group]) => group), other].flatMap((group) => {
      const own = byGroup.get(group)
      return own === undefined ? [] : [[group, labelled(own)] as const]
    }),
  ]
}

/** Of keys whose words alone would not say what they mean. */
const ownLabels: ReadonlyMap<string, string> = new Map([
  ['gpuHeldUtilizationPercentMean', 'utilization of cards while it held them, for whomever, mean'],
  ['gpuHeldCoresMean', 'CPU cores kept busy while it held a card, mean'],
])

/** `gpuMemoryPeakBytes` is `memory peak`, among those of GPUs: the unit stands with the figure. */
function labelOf(key: string): string {
  const named = ownLabels.get(key)
  if (named !== undefined) return named
  const words = key.replace(/[A-Z]+/g, (capitals) => ` ${capitals.toLowerCase()}`)
  const label = words.replace(
    / (seconds|bytes|joules|celsius)$| bytes per second\b| (percent|watts)\b/,
    '',
  )
  // Figures of all cards stand under "GPU"; "mean" alone would say nothing.
  return label.replace(/^gpu (?!mean$|peak$)/, '')
}

/** The unit is in the key's name. */
export function formatUsage(key: string, value: number): string {
  if (key.endsWith('Seconds')) return formatSeconds(value)
  if (key.includes('BytesPerSecond')) return `${formatBytes(value)}/s`
  if (key.includes('Watts')) return `${fixedKeeping(value, 0)} W`
  if (key.includes('Joules')) return formatJoules(value)
  if (key.includes('Celsius')) return `${fixedKeeping(value, 0)} °C`
  if (key.includes('Percent')) return formatPercent(value)
  return /Bytes$|Chars$/.test(key) ? formatBytes(value) : formatCount(value)
}
