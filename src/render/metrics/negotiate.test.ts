import { describe, expect, it } from 'vitest'
import { metricsFormat } from './negotiate.ts'

describe('the format that a scraper asks for', () => {
  it.each([
    [undefined, 'text'],
    ['', 'text'],
    ['*/*', 'text'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text'],
    // Prometheus 2.42 and 2.5.
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'openmetrics',
    ],
    [
      'application/openmetrics-text; version=0.0.1,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'text',
    ],
    ['Application/OpenMetrics-Text; Version="1.0.0"; charset=utf-8', 'openmetrics'],
    ['application/openmetrics-text', 'openmetrics'],
    ['application/openmetrics-text;q=0', 'text'],
    ['application/openmetrics-text;q=nonsense', 'text'],
    ['application/openmetrics-text;version=1.0.0;q=0.2,text/plain', 'text'],
  ])('is, of %j, %s', (accept, format) => expect(metricsFormat(accept)).toBe(format))
})
