import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseOpenMetrics } from '../../../test/parse-openmetrics.ts'
import { expositionText } from './exposition.ts'
import type { MetricFamily } from './family.ts'

const gauge = (more: Partial<MetricFamily> = {}): MetricFamily =>
  ({
    name: 'jobmeter_load',
    kind: 'gauge',
    help: 'Load.',
    labels: ['host'],
    samples: [],
    ...more,
  }) as MetricFamily

describe('metrics as OpenMetrics', () => {
  it('tells kind, unit, help, values and since when counters count', () => {
    const families: MetricFamily[] = [
      gauge({ samples: [{ labels: { host: 'a', other: null, none: '' }, value: 1.5 }] }),
      gauge({ name: 'jobmeter_seen_bytes', samples: [{ labels: {}, value: 3 }] }),
      {
        name: 'jobmeter_cpu_seconds',
        kind: 'counter',
        help: 'CPU "time"\\.\nReally.',
        labels: [],
        samples: [{ labels: {}, value: 7, createdAt: 100.5 }],
      },
      {
        name: 'jobmeter_build',
        kind: 'info',
        help: 'The build.',
        labels: ['version'],
        samples: [{ labels: { version: '1' }, value: 1 }],
      },
    ]
    expect(expositionText(families, 'openmetrics')).toBe(`# HELP jobmeter_load Load.
# TYPE jobmeter_load gauge
jobmeter_load{host="a"} 1.5
# HELP jobmeter_seen_bytes Load.
# TYPE jobmeter_seen_bytes gauge
# UNIT jobmeter_seen_bytes bytes
jobmeter_seen_bytes 3
# HELP jobmeter_cpu_seconds CPU \\"time\\"\\\\.\\nReally.
# TYPE jobmeter_cpu_seconds counter
# UNIT jobmeter_cpu_seconds seconds
jobmeter_cpu_seconds_total 7
jobmeter_cpu_seconds_created 100.5
# HELP jobmeter_build The build.
# TYPE jobmeter_build info
jobmeter_build_info{version="1"} 1
# EOF
`)
    expect(expositionText(families, 'text')).toBe(`# HELP jobmeter_load Load.
# TYPE jobmeter_load gauge
jobmeter_load{host="a"} 1.5
# HELP jobmeter_seen_bytes Load.
# TYPE jobmeter_seen_bytes gauge
jobmeter_seen_bytes 3
# HELP jobmeter_cpu_seconds_total CPU "time"\\\\.\\nReally.
# TYPE jobmeter_cpu_seconds_total counter
jobmeter_cpu_seconds_total 7
# HELP jobmeter_build_info The build.
# TYPE jobmeter_build_info gauge
jobmeter_build_info{version="1"} 1
`)
  })

  it('tells a histogram with all its bounds', () => {
    const histogram: MetricFamily = {
      name: 'jobmeter_took_seconds',
      kind: 'histogram',
      help: 'How long.',
      labels: ['route'],
      samples: [
        {
          labels: { route: '/' },
          buckets: [
            { most: 0.5, count: 2 },
            { most: 1, count: 3 },
          ],
          count: 4,
          sum: 9.25,
          createdAt: 5,
        },
      ],
    }
    const lines = expositionText([histogram], 'openmetrics').split('\n').slice(3)
    expect(lines).toEqual([
      'jobmeter_took_seconds_bucket{route="/",le="0.5"} 2',
      'jobmeter_took_seconds_bucket{route="/",le="1.0"} 3',
      'jobmeter_took_seconds_bucket{route="/",le="+Inf"} 4',
      'jobmeter_took_seconds_sum{route="/"} 9.25',
      'jobmeter_took_seconds_count{route="/"} 4',
      'jobmeter_took_seconds_created{route="/"} 5',
      '# EOF',
      '',
    ])
  })

  it('leaves out what was not measured, and a family without samples', () => {
    const unknown = [
      { labels: {}, value: null },
      { labels: { host: 'b' }, value: Number.NaN },
    ]
    expect(expositionText([gauge(), gauge({ samples: unknown })], 'openmetrics')).toBe('# EOF\n')
    expect(expositionText([gauge({ samples: unknown })], 'text')).toBe('')
  })

  it('is read back as it was, whatever is in labels and help', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('\\', '"', '\n', 'n', '{', '}', ',', '=', '\r', '\ud800'),
      }),
    )
    const value = fc.double({ noNaN: true })
    fc.assert(
      fc.property(
        text,
        fc.array(fc.tuple(text, text, value), { minLength: 1, maxLength: 8 }),
        (help, told) => {
          const samples = told.map(([host, name, number]) => ({
            labels: { host, name },
            value: number,
          }))
          const family = gauge({ help, samples })
          const read = parseOpenMetrics(expositionText([family], 'openmetrics'))
          const labelsOf = (labels: Readonly<Record<string, string>>) =>
            Object.fromEntries(
              Object.entries(labels)
                .filter(([, word]) => word !== '')
                .map(([key, word]) => [key, word.toWellFormed()]),
            )
          expect(read.get('jobmeter_load')).toEqual({
            kind: 'gauge',
            help: help.toWellFormed(),
            unit: undefined,
            samples: samples.map(({ labels, value: number }) => ({
              name: 'jobmeter_load',
              labels: labelsOf(labels),
              // -0 is written as 0.
              value: number === 0 ? 0 : number,
            })),
          })
        },
      ),
    )
  })
})
