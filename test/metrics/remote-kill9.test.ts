import fc from 'fast-check'
import { readdirSync, writeFileSync } from 'node:fs'
import snappy from 'snappyjs'
import { describe, expect, it } from 'vitest'
import { parseBatchName } from '../../src/store/outgoing/batch-name.ts'
import { sandbox } from '../program.ts'
import { judged, whyNoProtoc } from './protobuf-judge.ts'
import { Receiver } from './receiver.ts'

const kills = 40

interface Request1 {
  readonly timeseries: readonly { readonly samples: readonly { readonly timestamp: string }[] }[]
}

describe.skipIf(whyNoProtoc())('an agent that sends and is killed', () => {
  it('loses no batch that was on disk, sends none by half, and keeps their order', async () => {
    using box = sandbox()
    const server = { works: false, taken: 0 }
    // Two of three requests fail, so that there is always something that waits.
    await using receiver = await Receiver.start((_, place) => {
      if (!server.works && place % 3 !== 2) return { status: 503 }
      server.taken += server.works ? 1 : 0
      return { status: 204 }
    })
    writeFileSync(
      box.path('agent.yaml'),
      `remote: [{ name: t, url: "${receiver.url}", protocol: remote-write-1, interval: 1s }]\n`,
    )
    const db = box.path('node.db')
    const agent = ['agent', '--interval', '0.2s', '--config', 'agent.yaml', '--db', db]
    const [moments = []] = fc.sample(
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: kills, maxLength: kills }),
      1,
    )
    const seen = new Set<number>()
    const look = () => {
      for (const name of readdirSync(`${db}-remote/t`)) {
        const batch = parseBatchName(name)
        if (batch !== undefined) seen.add(batch.atMilliseconds)
      }
    }
    for (const [turn, moment] of moments.entries()) {
      const running = box.start(agent)
      await running.saw('looking every')
      // Every other one is killed around a request, however slow the machine is; the others at any moment.
      const isSending = turn % 2 === 0
      if (isSending) await receiver.got(receiver.all.length + 1)
      await new Promise((resolve) => setTimeout(resolve, isSending ? moment / 10 : moment))
      running.signal('SIGKILL')
      expect((await running.ended).signal).toBe('SIGKILL')
      look()
    }
    server.works = true
    const last = box.start(agent)
    const giveUp = performance.now() + 60_000
    const waiting = () => readdirSync(`${db}-remote/t`).filter((name) => name.endsWith('.batch'))
    while (server.taken < 2 || waiting().length > 0) {
      if (performance.now() > giveUp) throw new Error('not all was sent within 60 s')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    last.signal('SIGTERM')
    expect(await last.ended).toMatchObject({ code: 0 })
    const bodies = receiver.all.map(({ body }) => snappy.uncompress(new Uint8Array(body)))
    const read = judged('remote_write_1', 'WriteRequest', bodies) as unknown as Request1[]
    const times = read.map(({ timeseries }) => Number(timeseries[0]?.samples[0]?.timestamp))
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    const arrived = new Set(times)
    expect([...seen].filter((time) => !arrived.has(time))).toEqual([])
    expect(receiver.all.length).toBeGreaterThanOrEqual(kills / 2)
    expect(seen.size).toBeGreaterThan(kills / 10)
    process.stderr.write(
      `${kills} kills: ${seen.size} batches waited, ${receiver.all.length} requests\n`,
    )
  }, 240_000)
})
