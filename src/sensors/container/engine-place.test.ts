import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { enginePlace, type Engine } from './engine-place.ts'

const placeOf = (engine: Engine, environment: Readonly<Record<string, string>>) =>
  enginePlace(fakeSystem().files, engine, environment)

describe('the place of an engine', () => {
  it('goes by the variable of the client first', () => {
    expect(placeOf('docker', { DOCKER_HOST: 'unix:///tmp/d.sock' })).toEqual({
      kind: 'sockets',
      paths: ['/tmp/d.sock'],
    })
    expect(placeOf('podman', { CONTAINER_HOST: 'ssh://root@elsewhere/run' })).toEqual({
      kind: 'elsewhere',
      why: 'CONTAINER_HOST names ssh://root@elsewhere/run, which is not a socket of this machine',
    })
  })

  it('looks where engines listen by default, those of the user included', () => {
    expect(placeOf('docker', {})).toEqual({
      kind: 'sockets',
      paths: ['/var/run/docker.sock'],
    })
    expect(placeOf('podman', { XDG_RUNTIME_DIR: '/run/user/7' })).toEqual({
      kind: 'sockets',
      paths: ['/run/user/7/podman/podman.sock', '/run/podman/podman.sock'],
    })
  })
})
