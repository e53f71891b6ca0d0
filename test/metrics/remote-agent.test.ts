import { writeFileSync } from 'node:fs'
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
