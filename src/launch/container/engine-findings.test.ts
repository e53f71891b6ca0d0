import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { engineFindings } from './engine-findings.ts'

describe('what was found of the ways to run containers', () => {
  it('does not advise to name a socket that is named already', async () => {
    const { files } = fakeSystem({})
    const remedyOf = async (environment: Readonly<Record<string, string>>) =>
      (await engineFindings(files, environment)).find(({ what }) => what === 'Docker')?.remedy
    expect(await remedyOf({})).toContain('name the socket in DOCKER_HOST')
    expect(await remedyOf({ DOCKER_HOST: 'unix:///no.sock' })).toBe(
      'start the daemon that DOCKER_HOST names (unix:///no.sock), or unset DOCKER_HOST',
    )
  })
})
