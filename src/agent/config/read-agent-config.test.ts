import { describe, expect, it } from 'vitest'
import { formatSpecError } from '../../workflow/spec/problem.ts'
import { readAgentConfig } from './read-agent-config.ts'

const groupIdOf = (name: string): number | undefined => (name === 'staff' ? 50 : undefined)

const errorsIn = (text: string): string[] => {
  const read = readAgentConfig(text, 'agent.yaml', groupIdOf)
  return read.kind === 'ok' ? [] : read.errors.map(formatSpecError)
}

describe('the configuration of an agent', () => {
  it('is read whole', () => {
    const text =
      'interval: 2m\ndatabase: /data/node.db\nretention: { raw_days: 3 }\nreservations:\n  implied_gpus: 1\nadministrators: staff\nsocket: false\nslurm: { bin: /opt/slurm/bin, conf: /etc/slurm.conf }\nremote: [{ name: a, url: "https://a.example.org/write" }]\n'
    expect(readAgentConfig(text, 'agent.yaml', groupIdOf)).toEqual({
      kind: 'ok',
      value: {
        intervalSeconds: 120,
        database: '/data/node.db',
        policies: null,
        retention: { rawDays: 3 },
        impliedGpus: 1,
        administrators: 50,
        socket: false,
        slurm: { folder: '/opt/slurm/bin', environment: { SLURM_CONF: '/etc/slurm.conf' } },
        remote: [expect.objectContaining({ name: 'a', protocol: 'remote-write-2' })],
      },
    })
  })

  it.each([
    [
      'interval: 60\nadministrators: nobodys\n',
      ':2:17 administrators: there is no group "nobodys"',
    ],
    // Those who ask would not find it there.
    ['socket: /run/a.sock\n', ':1:9 socket: must be false, or left out; $JOBMETER_AGENT_SOCKET'],
  ])('refuses %j', (text, problem) => {
    expect(errorsIn(text)).toEqual([expect.stringContaining(`agent.yaml${problem}`)])
  })

  it('says all that is wrong, with the line', () => {
    const found = errorsIn(
      'intervall: 60\ninterval: soon\nretention:\n  raw_days: 0\nadministrators: nobodys\n',
    )
    expect(found).toHaveLength(4)
    expect(found[0]).toMatch(/^agent\.yaml:1:1 intervall: unknown key\. Did you mean "interval"\?/)
    expect(found[1]).toMatch(/^agent\.yaml:2:11 interval: /)
    expect(found[2]).toMatch(/^agent\.yaml:4:13 retention\.raw_days: must be at least 1/)
    expect(found[3]).toBe('agent.yaml:5:17 administrators: there is no group "nobodys"')
  })
})
