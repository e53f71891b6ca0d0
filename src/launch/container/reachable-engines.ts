import { failed, ok, unavailable, whyNot, type Reading } from '../../model/reading.ts'
import { openEngine, type EngineApi } from '../../sensors/container/engine-api.ts'
import { enginePlace, engines } from '../../sensors/container/engine-place.ts'
import type { Inspected } from '../../sensors/container/inspected.ts'
import type { System } from '../../system/system.ts'
import type { ContainerCommand } from './run-command.ts'
import { troubleOf } from './why-unseen.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The daemon that a command talks to. */
export function engineFor(
  { files }: System,
  environment: Environment,
  command: ContainerCommand,
): Reading<EngineApi> {
  const { engine } = command
  return openEngine(files, engine, enginePlace(files, engine, environment, command))
}

/** All that are there: a container that is known by its name alone may be of any of them. */
export function reachableEngines(
  { files }: Pick<System, 'files'>,
  environment: Environment,
): Reading<readonly EngineApi[]> {
  const reachable: EngineApi[] = []
  const why: string[] = []
  for (const engine of engines) {
    const opened = openEngine(files, engine, enginePlace(files, engine, environment))
    if (opened.kind === 'ok') reachable.push(opened.value)
    else why.push(`${engine}: ${whyNot(opened)}`)
  }
  return reachable.length > 0 ? ok(reachable) : unavailable(why.join('; '))
}

/** A container, and the engine that knows it. */
export interface FoundContainer {
  readonly api: EngineApi
  readonly inspected: Inspected
}

type Found = Reading<FoundContainer>

/**
 * A container, with the engine that knows it. All are asked at once, and the first that answers with one that runs is taken:
 * the others may hang, and are not asked any more.
 */
export async function findContainer(apis: readonly EngineApi[], name: string): Promise<Found> {
  const { promise: running, resolve } = Promise.withResolvers<Found>()
  const asked = apis.map(async (api): Promise<Answer> => {
    const answer = await api.inspect(name)
    if (answer.kind === 'ok' && answer.value.isRunning)
      resolve(ok({ api, inspected: answer.value }))
    return { api, answer }
  })
  const found = await Promise.race([running, Promise.all(asked).then(foundAmong)])
  if (found.kind === 'ok') noLongerAsk(apis, found.value.api)
  return found
}

interface Answer {
  readonly api: EngineApi
  readonly answer: Reading<Inspected>
}

/** The first that there is. Where there is none, what the engines said: those that could not be asked by name. */
function foundAmong(answers: readonly Answer[]): Found {
  let unknown: string | undefined
  const troubles: string[] = []
  for (const { api, answer } of answers) {
    if (answer.kind === 'ok') return ok({ api, inspected: answer.value })
    if (answer.kind === 'failed') troubles.push(troubleOf(api.engine, whyNot(answer)))
    else unknown ??= `${api.engine}: ${answer.why.replace(/^HTTP \d+: /, '')}`
  }
  if (troubles.length === 0) return unavailable(unknown ?? 'there is no engine')
  return failed([...(unknown === undefined ? [] : [unknown]), ...troubles].join('; '))
}

/** Once one engine knows the container, nobody waits for the answers of the others. */
export function noLongerAsk(apis: readonly EngineApi[], known: EngineApi): void {
  for (const { engine, time } of apis.filter((api) => api !== known))
    time.cut(`the container is not one of ${engine}`)
}
