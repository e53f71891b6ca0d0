import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { metricsDocument, withMetricsReference } from './metrics-reference.ts'

const document = readFileSync(metricsDocument, 'utf8')

describe('docs/prometheus.md', () => {
  it('is as the definitions have it: else run node tools/metrics-reference.ts', () => {
    expect(withMetricsReference(document)).toBe(document)
  })

  it('would be found stale', () => {
    const changed = document.replace('`jobmeter_node_load`', '`jobmeter_node_lead`')
    expect(changed).not.toBe(document)
    expect(withMetricsReference(changed)).toBe(document)
  })
})
