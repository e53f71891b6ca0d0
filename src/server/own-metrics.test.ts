import { describe, expect, it } from 'vitest'
import { OwnMetricsBook } from './own-metrics.ts'

const opened = (): OwnMetricsBook => new OwnMetricsBook({ version: '1.2.3', startedAt: 100 })

describe('what the server counts of itself', () => {
  it('counts requests by route, method and status, and how long they took', () => {
    const book = opened()
    book.observe('/api/v1/jobs', 'GET', 200, 0.002)
    book.observe('/api/v1/jobs', 'GET', 204, 0.04)
    book.observe('/api/v1/jobs', 'BREW', 418, 99)
    book.observe('/api/v1/events', 'GET', 200, null)
    const { requests, durations } = book.taken()
    expect(requests).toEqual([
      { route: '/api/v1/jobs', method: 'GET', status: '2xx', requests: 2 },
      { route: '/api/v1/jobs', method: 'other', status: '4xx', requests: 1 },
      { route: '/api/v1/events', method: 'GET', status: '2xx', requests: 1 },
    ])
    expect(durations).toMatchObject([{ route: '/api/v1/jobs', count: 3, sum: 99.042 }])
    const counts = durations[0]?.buckets.map(({ most, count }) => [most, count])
    expect(counts?.slice(0, 2)).toEqual([
      [0.001, 0],
      [0.005, 1],
    ])
    // What took longer than any bound is in the count alone.
    expect(counts?.at(-1)).toEqual([10, 2])
    book.close()
  })

  it('counts clients, events and errors, and knows its process', () => {
    const book = opened()
    book.liveClients(1)
    book.liveClients(1)
    book.liveClients(-1)
    book.eventsSent(7)
    book.slowClientDropped()
    book.readError('jobs')
    book.readError('jobs')
    const taken = book.taken()
    expect(taken).toMatchObject({
      version: '1.2.3',
      startedAt: 100,
      liveClients: 1,
      eventsSent: 7,
      slowClientsDropped: 1,
      readErrors: [{ part: 'jobs', errors: 2 }],
    })
    expect(taken.cpuSeconds).toBeGreaterThan(0)
    expect(taken.memoryBytes).toBeGreaterThan(1e6)
    book.close()
  })

  it('does not grow with routes that somebody makes up', () => {
    const book = opened()
    for (let at = 0; at < 1000; at += 1) book.observe(`/${at}`, 'GET', 404, 0.1)
    const { requests, durations } = book.taken()
    expect(durations).toHaveLength(301)
    expect(requests.find(({ route }) => route === 'other')?.requests).toBe(700)
    book.close()
  })
})
