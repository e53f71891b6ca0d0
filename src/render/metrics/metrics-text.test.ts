import { describe, expect, it } from 'vitest'
import { promtoolComplaints, whyNoPromtool } from '../../../test/import/promtool.ts'
import { parseOpenMetrics } from '../../../test/parse-openmetrics.ts'
import { jobStates } from '../../model/job-state.ts'
import type { MetricFacts } from '../../model/metric-facts.ts'
import type { OwnMetrics } from '../../model/own-metrics.ts'
import { allFamilies, metricsText } from './metrics-text.ts'

const label = 'a "name"\\ with\n everything'
const device = {
  device: 'sda',
  inBytesPerSecond: 1,
  outBytesPerSecond: 2,
  inBytes: 3,
  outBytes: 4,
}
const labels = { user: 'ada', name: label }

/** Everything is measured here. */
const facts: MetricFacts = {
  nodes: [
    {
      host: 'node01',
      roundAgeSeconds: 10,
      cores: 4,
      busyCores: 1.5,
      ioWaitCores: 0.1,
      cpuSeconds: { busy: 1, ioWait: 2, idle: 3 },
      load: 0.5,
      memoryBytes: 5e8,
      memorySizeBytes: 1e9,
      swapBytes: 0,
      processes: 100,
      threads: 300,
      disks: [device],
      interfaces: [{ ...device, device: 'eth0' }],
      gpuCount: 2,
      gpus: [
        { gpu: 'nvidia 0', busyShare: 0.01, memoryBytes: 1, memorySizeBytes: 2, watts: 60 },
        { gpu: 'nvidia 1', busyShare: 0.5, memoryBytes: 1, memorySizeBytes: 2, watts: 300 },
      ],
    },
  ],
  jobs: {
    ended: [{ ...labels, status: 'failed', attempts: 3, since: 1_700_000_000.5 }],
    used: [{ ...labels, cpuSeconds: 7, wallSeconds: 9, memoryPeakBytes: 5, since: 1_700_000_000 }],
    running: [
      {
        ...labels,
        attempts: 1,
        cpuCores: 1,
        memoryBytes: 2,
        requestedCpus: 3,
        requestedMemoryBytes: 4,
        requestedGpus: 5,
      },
    ],
  },
  workflows: [
    {
      workflowId: 7,
      name: 'pipeline',
      user: 'ada',
      states: Object.fromEntries(jobStates.map((state) => [state, 1])) as Record<
        (typeof jobStates)[number],
        number
      >,
      runStartedAt: 100,
      runEndedAt: 200,
    },
  ],
  alerts: [{ rule: 'stuck', severity: 'warning', alerts: 2 }],
  violations: [{ host: 'node01', policy: 'hog', severity: 'critical', violations: 1 }],
}

const own: OwnMetrics = {
  version: '1.0.0',
  runtime: 'node 24',
  startedAt: 1_700_000_000,
  cpuSeconds: 3,
  memoryBytes: 9e7,
  loopDelay: { meanSeconds: 0.001, mostSeconds: 0.02 },
  requests: [{ route: '/metrics', method: 'GET', status: '2xx', requests: 5 }],
  durations: [{ route: '/metrics', buckets: [{ most: 1, count: 5 }], count: 5, sum: 0.2 }],
  liveClients: 2,
  eventsSent: 40,
  slowClientsDropped: 1,
  readErrors: [{ part: 'jobs', errors: 1 }],
  remote: [
    {
      target: 'prometheus',
      startedAt: 100,
      samplesSent: 5,
      requests: 2,
      bytesSent: 300,
      failures: { no_answer: 1, too_many: 0, server_error: 0, refused: 0, secret: 0 },
      samplesDropped: { buffer_full: 0, refused: 0, broken: 0, unwritable: 0 },
      waitingBatches: 1,
      waitingBytes: 100,
      lagSeconds: 3,
      lastSentAt: 200,
    },
  ],
}

const defined = allFamilies.flatMap(({ families }) =>
  families.map(({ name, kind, labels: known }) => ({ name, kind, known })),
)

describe('all that /metrics answers', () => {
  it('has every family that is documented, and labels that are', () => {
    const read = parseOpenMetrics(metricsText(facts, own, 'openmetrics'))
    expect([...read.keys()].toSorted()).toEqual(defined.map(({ name }) => name).toSorted())
    for (const { name, kind, known } of defined) {
      const family = read.get(name)
      expect(family?.kind, name).toBe(kind)
      const found = new Set(family?.samples.flatMap((sample) => Object.keys(sample.labels)))
      found.delete('le')
      expect([...found].toSorted(), name).toEqual(known.toSorted())
    }
    expect(read.get('jobmeter_node_gpus_idle')?.samples[0]?.value).toBe(1)
    expect(read.get('jobmeter_running_jobs')?.samples[0]?.labels['name']).toBe(label)
  })

  it('is about the server alone where nothing else could be read', () => {
    const nothing = { nodes: null, jobs: null, workflows: null, alerts: null, violations: null }
    const read = parseOpenMetrics(metricsText(nothing, own, 'openmetrics'))
    expect(
      [...read.keys()].every((name) => /^(jobmeter_(server|build|remote)|process)/.test(name)),
    ).toBe(true)
  })

  it.skipIf(whyNoPromtool())('has nothing that promtool complains about', () => {
    expect(promtoolComplaints(metricsText(facts, own, 'text'))).toBe('')
  })
})
