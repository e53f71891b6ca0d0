import { describe, expect, it } from 'vitest'
import { networkFigure, type CountedNamespaces, type CountedSockets } from './network-figure.ts'

const noNamespace: CountedNamespaces = {
  isEmpty: true,
  isShared: false,
  isHidden: false,
  seesMachine: true,
  hadMore: false,
  hadAll: true,
  receivedBytes: 0,
  sentBytes: 0,
}

const sockets: CountedSockets = {
  why: null,
  wasShort: false,
  totals: { receivedBytes: 70, sentBytes: 30 },
}

const namespace: CountedNamespaces = { ...noNamespace, isEmpty: false, receivedBytes: 100 }

describe('what a job received', () => {
  it('is told by its sockets where it has no namespace of its own', () => {
    expect(networkFigure('receivedBytes', noNamespace, sockets)).toEqual({
      value: 70,
      basis: 'at least: TCP sockets that were open at a look (inet_diag), loopback included',
    })
  })

  it('says so where not all open files could be looked through at each look', () => {
    const short = { ...sockets, wasShort: true }
    expect(networkFigure('receivedBytes', noNamespace, short)).toEqual({
      value: 70,
      basis:
        'at least: TCP sockets that were open at a look (inet_diag), loopback included; not all open files were looked through at each look, so connections may have been missed',
    })
  })

  it('is told by the interfaces of its own namespace, if these counted more', () => {
    expect(networkFigure('receivedBytes', namespace, sockets)).toEqual({
      value: 100,
      basis:
        'at least: /proc/PID/net/dev of its network namespace, without loopback, until the last look',
    })
    expect(networkFigure('sentBytes', namespace, sockets)).toMatchObject({ value: 30 })
  })

  it.each([
    { hadAll: false, seesMachine: true, words: ', in which not all of its processes were' },
    {
      hadAll: null,
      seesMachine: true,
      words: ', in which not all of its processes are known to have been',
    },
    {
      hadAll: true,
      seesMachine: false,
      words:
        '; processes outside of the PID namespace of jobmeter may be in it too, and are not seen',
    },
  ])('says what is not certain of that namespace: $words', ({ words, ...known }) => {
    const { basis } = networkFigure('receivedBytes', { ...namespace, ...known }, sockets) as {
      readonly basis: string
    }
    expect(basis).toContain(`/proc/PID/net/dev of its network namespace`)
    expect(basis).toContain(words)
  })

  it.each([
    {
      lacks: { isShared: true },
      why: /^its network namespace is also that of processes that are not of the job/,
    },
    { lacks: { isHidden: true }, why: /^whether its network namespace .* cannot be told/ },
  ])('is not told where the namespace may be that of others: $why', ({ lacks, why }) => {
    const quiet = { ...sockets, totals: { receivedBytes: 0, sentBytes: 0 } }
    expect(networkFigure('receivedBytes', { ...noNamespace, ...lacks }, quiet)).toEqual({
      value: null,
      why: expect.stringMatching(why),
    })
    expect(networkFigure('receivedBytes', { ...noNamespace, ...lacks }, sockets)).toMatchObject({
      value: 70,
    })
  })

  it('is not told where neither is known, with the reason', () => {
    const unknown = { ...sockets, why: 'no koffi here' }
    expect(networkFigure('receivedBytes', noNamespace, unknown)).toEqual({
      value: null,
      why: 'no koffi here',
    })
  })
})
