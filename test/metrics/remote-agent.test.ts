import { readdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { Receiver } from './receiver.ts'

describe('an agent whose targets do not answer', () => {
  it('takes its rounds as if there were none, and ends at once', async () => {
    using box = sandbox()
    await using silent = await Receiver.start(() => 'silence')
    writeFileSync(
      box.path('agent.yaml'),
      `remote:
  - { name: silent, url: "${silent.url}", interval: 1s, timeout: 1h }
  - { name: gone, url: "http://127.0.0.1:1/", interval: 1s }
  - { name: nowhere, url: "http://host.invalid/", interval: 1s }
`,
    )
    const command = ['agent', '--interval', '0.2s', '--verbose', '--db', box.path('node.db')]
    const agent = box.start([...command, '--config', 'agent.yaml'])
    await silent.got(1)
    const since = (await agent.saw('round ')).match(/^round \d+/gm)?.length ?? 0
    // Each of the targets alone would take hours.
    await agent.saw(`round ${since + 20}:`)
    agent.signal('SIGTERM')
    const { code, stderr } = await agent.ended
    expect(code).toBe(0)
    expect(stderr).toContain('metrics for gone: the server cannot be reached (ECONNREFUSED)')
    expect(stderr.match(/metrics for gone/g)).toHaveLength(1)
  })
})

describe('an agent that takes one round', () => {
  it('sends what it saw, and leaves what cannot be sent to the next', async () => {
    using box = sandbox()
    await using receiver = await Receiver.start(() => ({ status: 200, body: '{}' }))
    const target = (name: string, url: string): string =>
      `remote: [{ name: ${name}, url: "${url}", protocol: otlp }]\n`
    const once = async (config: string) => {
      writeFileSync(box.path('agent.yaml'), config)
      const words = ['--once', '--interval', '0.2s', '--db', 'node.db', '--config', 'agent.yaml']
      return box.jobmeter(['agent', ...words])
    }
    const refused = await once(target('collector', 'http://127.0.0.1:1/'))
    expect(refused).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'metrics for collector: the server cannot be reached',
      ) as string,
    })
    const waiting = () =>
      readdirSync(box.path('node.db-remote/collector')).filter((name) => name.endsWith('.batch'))
    expect(waiting()).toHaveLength(1)
    expect(await once(target('collector', receiver.url))).toMatchObject({ code: 0, stderr: '' })
    expect(waiting()).toEqual([])
    const cores = receiver.all.map(({ body }) => {
      const { resourceMetrics } = JSON.parse(String(gunzipSync(body))) as Sent
      const metrics = resourceMetrics.flatMap(({ scopeMetrics }) =>
        scopeMetrics.flatMap((scope) => scope.metrics),
      )
      return metrics.find(({ name }) => name === 'jobmeter_node_cores')?.gauge.dataPoints[0]
        ?.asDouble
    })
    expect(cores).toEqual([cpus().length, cpus().length])
  })
})

interface Sent {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string
        readonly gauge: { readonly dataPoints: readonly { readonly asDouble: number }[] }
      }[]
    }[]
  }[]
}
