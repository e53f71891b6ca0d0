import type { FamilyOf, HistogramSample, MetricSample } from './family.ts'

type Samples<Facts> = (facts: Facts) => Iterable<MetricSample>

const plain =
  (kind: 'counter' | 'gauge' | 'info') =>
  <Facts>(
    name: string,
    labels: readonly string[],
    help: string,
    samplesOf: Samples<Facts>,
  ): FamilyOf<Facts> => ({ kind, name, labels, help, samplesOf })

export const gauge = plain('gauge')
export const counter = plain('counter')
export const info = plain('info')

export const histogram = <Facts>(
  name: string,
  labels: readonly string[],
  help: string,
  samplesOf: (facts: Facts) => Iterable<HistogramSample>,
): FamilyOf<Facts> => ({ kind: 'histogram', name, labels, help, samplesOf })
