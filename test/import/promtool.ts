import { spawnSync } from 'node:child_process'
import { installDebian, type Missing } from '../debian.ts'

const has = (): boolean => spawnSync('which', ['promtool']).status === 0

/** Why there is no promtool; on CI that is a failure. */
export function whyNoPromtool(): Missing {
  const missing = installDebian('promtool', has, 'prometheus')
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing)
  return missing
}

/** What promtool says of a file of metrics; empty where all is well. */
export function promtoolComplaints(text: string): string {
  const ended = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  return ended.status === 0 ? '' : `${ended.stdout}${ended.stderr}`
}

/** The same by its strict reader of OpenMetrics, which makes blocks of a database of it. */
export function openMetricsComplaints(path: string, directory: string): string {
  const words = ['tsdb', 'create-blocks-from', 'openmetrics', path, directory]
  const ended = spawnSync('promtool', words, { encoding: 'utf8' })
  return ended.status === 0 ? '' : `${ended.stdout}${ended.stderr}`
}
