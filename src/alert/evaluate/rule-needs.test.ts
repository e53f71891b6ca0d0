import { expect, it } from 'vitest'
import { readAlerts } from '../config/read-alerts.ts'
import { needsPast } from './rule-needs.ts'

function needs(rule: string): boolean[] {
  const read = readAlerts(`shipped: false\nrules: [{name: a, ${rule}}]`, 'alerts.yaml', String)
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.errors))
  return read.value.rules.map(needsPast)
}

it.each([
  ['metric: cpu_percent, above: 1', false],
  ['metric: remaining_seconds, above: 1', true],
  ['metric: cpu_percent, above: 1, when: remaining_seconds < 60', true],
  ['metric: cpu_percent, above: 1, when: elapsed_seconds > 60', false],
  ['metric: elapsed_seconds, unusual: {figure: duration_seconds}', true],
  ['metric: cpu_percent, unusual: {window: 10m}', false],
])('says whether {%s} compares with past runs', (rule, expected) => {
  expect(needs(rule)).toEqual([expected])
})
