import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAgentConfig } from '../../src/agent/config/read-agent-config.ts'
import { allFamilies } from '../../src/render/metrics/metrics-text.ts'
import { readServerConfig } from '../../src/server/config/read-server-config.ts'
import { sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'
import { freePort } from '../free-port.ts'
import { whyNoPrometheus } from './prometheus.ts'

const guide = readFileSync(join(repository, 'docs/remote-write.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  )

describe('the guide to sending metrics', () => {
  it('shows configurations that are right for both programs', () => {
    const examples = blocks('yaml')
    expect(examples).toHaveLength(1)
    for (const yaml of examples) {
      expect(readAgentConfig(yaml, 'agent.yaml', () => undefined).kind).toBe('ok')
      expect(readServerConfig(yaml, 'server.yaml').kind).toBe('ok')
    }
  })

  it('names metrics that there are', () => {
    const known = allFamilies.flatMap(({ families }) => families.map(({ name }) => name))
    const named = [...guide.matchAll(/`(jobmeter_[a-z_]+?)(?:_total)?`/g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter((name) => !known.includes(name ?? ''))).toEqual([])
  })

  it.skipIf(whyNoPrometheus())('shows commands that work', async () => {
    const scripts = blocks('sh')
    expect(scripts).toHaveLength(1)
    using box = sandbox()
    const port = String(await freePort())
    // A program and not a function, so that what ends it by its pid ends it and not a shell that waits for it.
    writeFileSync(box.path('jobmeter'), '#!/bin/sh\nexec $JOBMETER "$@"\n', { mode: 0o755 })
    writeFileSync(box.path('guide.sh'), `set -e\n${(scripts[0] ?? '').replaceAll('9099', port)}`)
    const ended = await box.shell('PATH=$PWD:$PATH; . ./guide.sh')
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stdout).toContain('"__name__":"jobmeter_jobs_finished_total"')
    expect(ended.stdout).toContain('"job":"jobmeter-server"')
  })
})
