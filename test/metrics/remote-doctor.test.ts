import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DoctorReport, Rung } from '../../src/model/doctor.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { Receiver } from './receiver.ts'

async function rungOf(box: Sandbox): Promise<Rung | undefined> {
  const { stdout } = await box.jobmeter(['doctor', '--format', 'json'])
  const { rungs } = JSON.parse(stdout) as DoctorReport
  return rungs.find(({ name }) => name.startsWith('serve: '))
}

describe('jobmeter doctor, of metrics that are sent', () => {
  it('says that nothing was sent yet, that it works, and why it does not', async () => {
    using box = sandbox()
    let status = 204
    await using receiver = await Receiver.start(() => ({ status }))
    mkdirSync(box.path('config/jobmeter'), { recursive: true })
    const config = box.path('config/jobmeter/server.yaml')
    const configure = (key: string) =>
      writeFileSync(
        config,
        `remote:\n  - name: store\n    url: ${receiver.url}\n    ${key}: remote-write-1\n    interval: 1s\n`,
        { mode: 0o600 },
      )
    configure('protocol')
    expect(await rungOf(box)).toMatchObject({
      name: 'serve: metrics for store',
      state: 'partly',
      finding: 'nothing has been sent yet',
    })
    const server = box.start(['serve', '--listen', '127.0.0.1:0'])
    await receiver.got(2)
    expect(await rungOf(box)).toMatchObject({
      state: 'yes',
      finding: expect.stringMatching(/^last sent .+ ago; /) as string,
    })
    status = 503
    await server.saw('metrics for store: the server answered 503')
    await receiver.got(receiver.all.length + 2)
    expect(await rungOf(box)).toMatchObject({
      state: 'no',
      finding: expect.stringMatching(
        /^the server answered 503; last sent .+ ago; \d+ batch(es)? \(.+\) waiting, the oldest for /,
      ) as string,
    })
    configure('protocoll')
    server.signal('SIGHUP')
    const said = await server.saw('stays in force')
    expect(said).toContain(
      'server.yaml:4:5 remote.store.protocoll: unknown key. Did you mean "protocol"?',
    )
    expect(await rungOf(box)).toMatchObject({ name: 'serve: configuration', state: 'no' })
    server.signal('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0 })
  })
})
