import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatSpecError } from '../../workflow/spec/problem.ts'
import { shippedRules } from '../shipped.ts'
import { readAlerts } from './read-alerts.ts'

const text = readFileSync(join(import.meta.dirname, '../../../docs/alerts.md'), 'utf8')
const blocks = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = '']) => yaml)
const channels = blocks.find((yaml) => yaml.startsWith('channels:')) ?? ''

it.each(blocks)('an example of docs/alerts.md is an alert file (%#)', (yaml) => {
  const whole = yaml.startsWith('channels:') ? yaml : `${yaml}${channels}`
  const read = readAlerts(whole, 'alerts.yaml', String)
  expect(read.kind === 'ok' ? [] : read.errors.map(formatSpecError)).toEqual([])
})

it('docs/alerts.md names every shipped rule, and no other', () => {
  const named = [...text.matchAll(/^\| `([a-z-]+)` \| .*(?: s| min|the end) \|$/gm)]
  expect(named.map(([, name]) => name)).toEqual(shippedRules.map(({ name }) => name))
})
