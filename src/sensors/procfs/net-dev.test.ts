import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, procfsFixture, textOf } from '../../../test/fixtures/procfs/fixture.ts'
import { checkHonest, smallCount } from '../../../test/fixtures/procfs/honest.ts'
import { NetTotals, parseNetDev } from './net-dev.ts'

const parsed = (content: Uint8Array): NetTotals | false => {
  const into = new NetTotals()
  return parseNetDev(content, content.length, into) && into
}

const names = ['net-dev-6.18', 'net-dev-5.10-containers']
const headings = textOf(procfsFixture('net-dev-6.18')).split('\n').slice(0, 2).join('\n')

describe('parseNetDev', () => {
  it('reads a captured file', () => {
    const net = parsed(procfsFixture('net-dev-6.18'))
    expect(net && net.receivedBytes).toBeGreaterThan(net ? net.sentBytes : 0)
    expect(net && net.sentBytes).toBeGreaterThan(100_000)
  })

  it('counts the cards, not the loopback nor what hands on their traffic', () => {
    const expected = { receivedBytes: 1_003_000, sentBytes: 204_000 }
    expect(parsed(procfsFixture('net-dev-5.10-containers'))).toEqual(expected)
  })

  it('tells of each interface by name, loopback and all', () => {
    const content = procfsFixture('net-dev-5.10-containers')
    const found: [string, number][] = []
    parseNetDev(content, content.length, new NetTotals(), (name, received) =>
      found.push([name, received]),
    )
    expect(found).toEqual([
      ['lo', 5_000_000],
      ['enp3s0', 1_000_000],
      ['docker0', 70_000],
      ['br-1a2b3c4d5e6f', 70_000],
      ['veth1a2b3c4', 70_000],
      ['wlan0', 3000],
    ])
  })

  it('adds up whatever cards there are', () => {
    const card = fc.record({ received: smallCount, sent: smallCount })
    fc.assert(
      fc.property(fc.array(card, { minLength: 1, maxLength: 20 }), (cards) => {
        const lines = cards.map(
          ({ received, sent }, index) =>
            `  eth${index}: ${received} 1 0 0 0 0 0 0 ${sent} 1 0 0 0 0 0 0\n`,
        )
        expect(parsed(bytes(`${headings}\n${lines.join('')}`))).toEqual({
          receivedBytes: cards.reduce((sum, each) => sum + each.received, 0),
          sentBytes: cards.reduce((sum, each) => sum + each.sent, 0),
        })
      }),
    )
  })

  it('is honest about garbage', () => {
    checkHonest(parseNetDev, () => new NetTotals(), names.map(procfsFixture))
  })
})
