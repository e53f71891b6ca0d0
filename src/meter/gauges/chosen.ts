import { type AskedMetric, metricNames } from '../../model/metrics.ts'
import type { System } from '../../system/system.ts'
import type { Gauge } from './gauge.ts'
import { shippedGauges } from './shipped.ts'

/** Only root may read it on most machines. Who may has a counter, and reading it costs next to nothing. */
const energyCounter = '/sys/class/powercap/intel-rapl:0/energy_uj'

/**
 * The gauges that were asked for by name. Without names: what is always measured, and energy where a counter of it can
 * be read. Gauges that are seldom wanted are loaded only here.
 */
export function chosenGauges(
  system: System,
  asked: readonly AskedMetric[],
): readonly Gauge[] | Promise<readonly Gauge[]> {
  const wanted = new Set<string>(asked)
  if (asked.length === 0) {
    if (!isReadable(system, energyCounter)) return shippedGauges
    wanted.add('default').add('energy')
  }
  if (wanted.has('default')) for (const { name } of shippedGauges) wanted.add(name)
  if (wanted.has('all')) for (const name of metricNames) wanted.add(name)
  return pick(wanted)
}

async function pick(wanted: ReadonlySet<string>): Promise<readonly Gauge[]> {
  const isWanted = ({ name }: Gauge): boolean => wanted.has(name)
  const shipped = shippedGauges.filter(isWanted)
  const isComplete = shipped.length === shippedGauges.length && wanted.size === shipped.length
  if (isComplete) return shippedGauges
  const { optionalGauges } = await import('./optional/optional.ts')
  return [...shipped, ...optionalGauges.filter(isWanted)]
}

function isReadable({ files }: System, path: string): boolean {
  const descriptor = files.open(path)
  if (descriptor < 0) return false
  files.close(descriptor)
  return true
}
