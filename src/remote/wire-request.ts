import snappy from 'snappyjs'
import { gzipSync } from 'node:zlib'
import type { RemoteProtocol } from '../model/remote-target.ts'
import type { MetricBatch, SharedLabels } from '../render/metrics/wire/metric-batch.ts'
import { otlpJson, type OtlpSender } from '../render/metrics/wire/otlp-json.ts'
import { remoteWrite1 } from '../render/metrics/wire/remote-write-1.ts'
import { remoteWrite2 } from '../render/metrics/wire/remote-write-2.ts'

/** A request without the headers that the configuration adds. */
export interface WireRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A batch as a request of a protocol. `job` and `instance` say who sends, where the configuration says nothing else. */
export function wireRequest(
  protocol: RemoteProtocol,
  batch: MetricBatch,
  labels: SharedLabels,
  sender: OtlpSender,
): WireRequest {
  const agent = { 'user-agent': `jobmeter/${sender.version}` }
  const shared = { job: sender.service, instance: sender.instance, ...labels }
  switch (protocol) {
    case 'otlp': {
      const { job: service, instance, ...others } = shared
      const text = otlpJson(batch, others, { ...sender, service, instance })
      return {
        headers: { ...agent, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: gzipSync(text),
      }
    }
    case 'remote-write-1':
      return {
        headers: {
          ...agent,
          'content-type': 'application/x-protobuf',
          'content-encoding': 'snappy',
          'x-prometheus-remote-write-version': '0.1.0',
        },
        body: snappy.compress(remoteWrite1(batch, shared)),
      }
    case 'remote-write-2':
      return {
        headers: {
          ...agent,
          'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request',
          'content-encoding': 'snappy',
          'x-prometheus-remote-write-version': '2.0.0',
        },
        body: snappy.compress(remoteWrite2(batch, shared)),
      }
  }
}
