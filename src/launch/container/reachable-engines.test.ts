import { describe, expect, it } from 'vitest'
import { ok, unavailable, type Reading } from '../../model/reading.ts'
import { EngineApi } from '../../sensors/container/engine-api.ts'
import { parseInspected, type Inspected } from '../../sensors/container/inspected.ts'
import { fakeSystem } from '../../system/fake.ts'
import { engineFor, findContainer, reachableEngines } from './reachable-engines.ts'
import { parseContainerCommand } from './run-command.ts'

/** An engine that gives this answer, or none. */
class AnsweringApi extends EngineApi {
  readonly #answer: Reading<Inspected> | undefined

  constructor(engine: 'docker' | 'podman', answer: Reading<Inspected> | undefined) {
    super(engine, '/nowhere')
    this.#answer = answer
  }

  override inspect(): Promise<Reading<Inspected>> {
    if (this.#answer !== undefined) return Promise.resolve(this.#answer)
    const { promise, resolve } = Promise.withResolvers<Reading<Inspected>>()
    this.time.begin((why) => resolve({ kind: 'failed', error: why }))
    return promise
  }
}

function container(isRunning: boolean): Reading<Inspected> {
  const inspected = parseInspected({ Id: 'a1'.repeat(32), State: { Running: isRunning } })
  return inspected === undefined ? unavailable('no container') : ok(inspected)
}

const found = async (
  docker: Reading<Inspected> | undefined,
  podman: Reading<Inspected> | undefined,
) => {
  const apis = [new AnsweringApi('docker', docker), new AnsweringApi('podman', podman)]
  const answer = await findContainer(apis, 'db')
  const engine = answer.kind === 'ok' ? answer.value.api.engine : answer.kind
  return { engine, isCut: apis.map(({ time }) => time.spent !== null) }
}

describe('a container that is looked for by its name', () => {
  it('is found though another engine hangs, which is not waited for any longer', async () => {
    const podmans = await found(undefined, container(true))
    expect(podmans).toEqual({ engine: 'podman', isCut: [true, false] })
  })

  it('is rather one that runs', async () => {
    expect(await found(container(false), container(true))).toMatchObject({ engine: 'podman' })
  })

  it('is that of the first engine where none runs', async () => {
    expect(await found(container(false), container(false))).toMatchObject({ engine: 'docker' })
    expect(await found(unavailable('404'), container(false))).toMatchObject({ engine: 'podman' })
  })

  it('is not found where no engine knows it', async () => {
    expect(await found(unavailable('404'), unavailable('404'))).toMatchObject({
      engine: 'unavailable',
    })
  })
})

describe('the daemon that a command talks to', () => {
  const sockets = { '/var/run/docker.sock': '', '/run/podman/podman.sock': '' }
  const home = { HOME: '/home/ada' }
  const chosen = JSON.stringify({ auths: {}, currentContext: 'rootless' })
  const machine = (config: string, path = '/home/ada/.docker/config.json') =>
    fakeSystem({ files: { ...sockets, [path]: config } })

  const asked = (
    words: string,
    environment: Readonly<Record<string, string>>,
    system = machine(chosen),
  ) => {
    const command = parseContainerCommand([...words.split(' '), 'run', 'image'])
    if (command === undefined) throw new Error('no command of a container')
    const engine = engineFor(system, environment, command)
    return engine.kind === 'unavailable' ? engine.why : engine.kind
  }
  const rootless = 'the daemon is named by the context rootless, which only docker knows'

  it('is not the usual one where another context is in use', () => {
    expect(asked('docker', home)).toBe(rootless)
    const elsewhere = machine(chosen, '/etc/dockers/config.json')
    expect(asked('docker', home, elsewhere)).toBe('ok')
    expect(asked('docker', { ...home, DOCKER_CONFIG: '/etc/dockers' }, elsewhere)).toBe(rootless)
    expect(asked('docker --config /etc/dockers', home, elsewhere)).toBe(rootless)
  })

  it('is the one that is named otherwise, all the same', () => {
    expect(asked('docker', { ...home, DOCKER_HOST: 'unix:///var/run/docker.sock' })).toBe('ok')
    expect(asked('docker', { ...home, DOCKER_CONTEXT: 'default' })).toBe('ok')
    expect(asked('docker -H unix:///var/run/docker.sock', home)).toBe('ok')
    expect(asked('docker --context default', home)).toBe('ok')
    expect(asked('podman', home)).toBe('ok')
  })

  it('is the usual one where no context is in use, or the file is not one of the client', () => {
    for (const config of [
      '{}',
      '',
      '{',
      '[]',
      'null',
      '{"currentContext":7}',
      '{"currentContext":""}',
      '{"currentContext":"default"}',
    ])
      expect(asked('docker', home, machine(config)), config).toBe('ok')
    expect(asked('docker', {})).toBe('ok')
  })

  it('is not the usual one of podman where a connection is named', () => {
    expect(asked('podman', { CONTAINER_CONNECTION: 'far' })).toContain('far')
  })

  it('is not asked for a container by name either', () => {
    const engines = reachableEngines(machine(chosen), home)
    expect(engines).toMatchObject({ value: [{ engine: 'podman' }] })
  })
})
