import { describe, expect, it } from 'vitest'
import { ok, unavailable, type Reading } from '../../model/reading.ts'
import { EngineApi } from '../../sensors/container/engine-api.ts'
import { parseInspected, type Inspected } from '../../sensors/container/inspected.ts'
import { findContainer } from './reachable-engines.ts'

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
