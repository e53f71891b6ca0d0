import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installDebian, type Missing } from '../debian.ts'
import { Prometheus } from './prometheus.ts'

const has = (): boolean => spawnSync('which', ['victoria-metrics']).status === 0

/** Why there is no VictoriaMetrics; on CI that is a failure. */
export function whyNoVictoriaMetrics(): Missing {
  const missing = installDebian('victoria-metrics', has, 'victoria-metrics')
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing)
  return missing
}

/** A real VictoriaMetrics, which answers queries as Prometheus does. */
export const startVictoriaMetrics = (): Promise<Prometheus> =>
  Prometheus.startProgram('victoria-metrics', '/health', (folder, address) => [
    `-storageDataPath=${join(folder, 'data')}`,
    `-httpListenAddr=${address}`,
    // Else what is new is not shown for half a minute.
    '-search.latencyOffset=0s',
    '-search.disableCache',
  ])
