import type { OwnMetrics } from '../../model/own-metrics.ts'
import type { FamilyOf } from './family.ts'
import { counter, gauge, histogram, info } from './family-kinds.ts'

const one = (value: number | null) => [{ labels: {}, value }]
const count = (value: number, { startedAt }: OwnMetrics) => [
  { labels: {}, value, createdAt: startedAt },
]

export const ownFamilies: readonly FamilyOf<OwnMetrics>[] = [
  info('jobmeter_build', ['version', 'runtime'], 'The build that runs.', ({ version, runtime }) => [
    { labels: { version, runtime }, value: 1 },
  ]),
  counter(
    'jobmeter_server_requests',
    ['route', 'method', 'status'],
    'Requests that were answered, by the first digit of the status.',
    ({ requests, startedAt }) =>
      requests.map(({ route, method, status, requests: value }) => ({
        labels: { route, method, status },
        value,
        createdAt: startedAt,
      })),
  ),
  histogram(
    'jobmeter_server_request_duration_seconds',
    ['route'],
    'How long it took to answer a request; streams are not included.',
    ({ durations, startedAt }) =>
      durations.map(({ route, ...figures }) => ({
        labels: { route },
        ...figures,
        createdAt: startedAt,
      })),
  ),
  gauge('jobmeter_server_live_clients', [], 'Clients that follow live events now.', (own) =>
    one(own.liveClients),
  ),
  counter('jobmeter_server_events_sent', [], 'Live events that were sent to clients.', (own) =>
    count(own.eventsSent, own),
  ),
  counter(
    'jobmeter_server_slow_clients_dropped',
    [],
    'Clients whose stream was ended because they read too slowly.',
    (own) => count(own.slowClientsDropped, own),
  ),
  counter(
    'jobmeter_server_read_errors',
    ['part'],
    'Times that a part of the ledger, its alerts or the database of nodes could not be read.',
    ({ readErrors, startedAt }) =>
      readErrors.map(({ part, errors }) => ({
        labels: { part },
        value: errors,
        createdAt: startedAt,
      })),
  ),
  gauge(
    'jobmeter_server_event_loop_delay_mean_seconds',
    [],
    'How long events of the server waited on average since the scrape before.',
    ({ loopDelay }) => one(loopDelay?.meanSeconds ?? null),
  ),
  gauge(
    'jobmeter_server_event_loop_delay_max_seconds',
    [],
    'The longest that an event of the server waited since the scrape before.',
    ({ loopDelay }) => one(loopDelay?.mostSeconds ?? null),
  ),
  counter('process_cpu_seconds', [], 'CPU time of the server.', (own) =>
    count(own.cpuSeconds, own),
  ),
  gauge('process_resident_memory_bytes', [], 'Memory of the server.', (own) =>
    one(own.memoryBytes),
  ),
  gauge(
    'process_start_time_seconds',
    [],
    'When the server was started, in seconds since 1970.',
    (own) => one(own.startedAt),
  ),
]
