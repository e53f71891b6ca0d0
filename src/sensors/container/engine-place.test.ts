import { describe, expect, it } from 'vitest'
import { engineSockets } from './engine-place.ts'

describe('engineSockets', () => {
  it('goes by the variable of the client first', () => {
    expect(engineSockets('docker', { DOCKER_HOST: 'unix:///tmp/d.sock' })).toEqual({
      kind: 'sockets',
      paths: ['/tmp/d.sock'],
    })
    expect(engineSockets('podman', { CONTAINER_HOST: 'ssh://root@elsewhere/run' })).toEqual({
      kind: 'elsewhere',
      why: 'CONTAINER_HOST names ssh://root@elsewhere/run, which is not a socket of this machine',
    })
  })

  it('looks where engines listen by default, those of the user included', () => {
    expect(engineSockets('docker', {})).toEqual({
      kind: 'sockets',
      paths: ['/var/run/docker.sock'],
    })
    expect(engineSockets('podman', { XDG_RUNTIME_DIR: '/run/user/7' })).toEqual({
      kind: 'sockets',
      paths: ['/run/user/7/podman/podman.sock', '/run/podman/podman.sock'],
    })
  })
})
