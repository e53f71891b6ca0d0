import { ok, parseReading, unavailable, type Reading } from '../../model/reading.ts'
import type { ApiSocket, Listening } from '../../system/api-socket.ts'
import { apiSocket } from '../../system/api-socket.ts'
import { AnswerTime } from '../../system/answer-time.ts'
import type { Files } from '../../system/system.ts'
import { parseEvent, type ContainerEvent } from './event.ts'
import { firstSocket, type Engine, type EnginePlace } from './engine-place.ts'
import { parseInspected, type Inspected } from './inspected.ts'
import { parseLiving, parseUnstarted, type ListedContainer } from './living.ts'
import { hasLabel, objectIn, textIn } from './json-values.ts'
import { parseStats, type ContainerStats } from './stats.ts'

/** By what a container is known: the label that jobmeter gave it, or a name or id that the user gave. */
export type ContainerKey = { readonly label: string } | { readonly name: string }

/** What engines take for a name or an id. Others are not asked for: `..` would lead to another part of the API. */
const possibleName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/

/** As long as `docker ps` writes ids. */
const shortIdLength = 12

/** The API of Docker, which Podman speaks too. Names are the user's: they are escaped in every address. */
export class EngineApi {
  readonly engine: Engine
  /** How long answers are waited for. */
  readonly time = new AnswerTime()
  readonly #socket: ApiSocket

  constructor(engine: Engine, socketPath: string) {
    this.engine = engine
    this.#socket = apiSocket(socketPath, this.time)
  }

  /** `20.10.24`, of whoever listens there. */
  async version(): Promise<Reading<string>> {
    const answer = await this.#socket.get('/version')
    return parseReading(
      answer,
      '/version',
      (value) => textIn(objectIn(value)['Version']) ?? undefined,
    )
  }

  async inspect(name: string): Promise<Reading<Inspected>> {
    if (!possibleName.test(name)) return unavailable('that cannot be the name of a container')
    const answer = await this.#socket.get(`/containers/${encodeURIComponent(name)}/json`)
    const found = parseReading(answer, 'the description of the container', parseInspected)
    // Daemons take any start of an id: `db` may be that of another container.
    return found.kind === 'ok' && !isNamed(name, found.value)
      ? unavailable(`no container has exactly the name or id ${name}`)
      : found
  }

  /** Ids of the containers with a label that have not ended. */
  async living(label: string): Promise<Reading<readonly string[]>> {
    const filters = encodeURIComponent(JSON.stringify({ label: [label] }))
    const answer = await this.#socket.get(`/containers/json?all=1&filters=${filters}`)
    const listed = parseReading(answer, 'the list of containers', (list) =>
      parseLiving(list, label),
    )
    return this.#ownAmong(listed, label)
  }

  /** Ids of the containers with a label that were made and never started. */
  async unstarted(label: string): Promise<Reading<readonly string[]>> {
    const filters = encodeURIComponent(JSON.stringify({ label: [label], status: ['created'] }))
    const answer = await this.#socket.get(`/containers/json?all=1&filters=${filters}`)
    const listed = parseReading(answer, 'the list of containers', (list) =>
      parseUnstarted(list, label),
    )
    return this.#ownAmong(listed, label)
  }

  /** An image that was made of a container (`docker commit`) hands its labels on: such a container is somebody else's. */
  async #ownAmong(
    listed: Reading<readonly ListedContainer[]>,
    label: string,
  ): Promise<Reading<readonly string[]>> {
    if (listed.kind !== 'ok') return listed
    const own: string[] = []
    for (const { id, imageId } of listed.value)
      if (imageId === null || !(await this.#hasImageLabel(imageId, label))) own.push(id)
    return ok(own)
  }

  async #hasImageLabel(imageId: string, label: string): Promise<boolean> {
    const image = await this.#socket.get(`/images/${encodeURIComponent(imageId)}/json`)
    if (image.kind !== 'ok') return false
    return hasLabel(objectIn(objectIn(objectIn(image.value)['Config'])['Labels']), label)
  }

  /** Without force: one that runs after all is left alone. */
  remove(id: string): Promise<Reading<true>> {
    return this.#socket.delete(`/containers/${encodeURIComponent(id)}`)
  }

  kill(id: string): Promise<Reading<true>> {
    return this.#socket.post(`/containers/${encodeURIComponent(id)}/kill`)
  }

  /** What the daemon remembers of a container between two moments, in seconds since 1970. */
  async pastEvents(
    key: ContainerKey,
    sinceSeconds: number,
    untilSeconds: number,
  ): Promise<Reading<readonly ContainerEvent[]>> {
    const until = `until=${untilSeconds.toFixed(3)}&stream=false`
    const answer = await this.#socket.getText(`${eventsPath(key, sinceSeconds)}&${until}`)
    return parseReading(answer, 'past events', (text) =>
      text
        .split('\n')
        .flatMap((line) => parseEvent(line) ?? [])
        .filter((event) => isOf(key, event)),
    )
  }

  /** Events of one container from a moment on, in seconds since 1970: those that were before the call come first. */
  events(
    key: ContainerKey,
    sinceSeconds: number,
    onEvent: (event: ContainerEvent) => void,
    onEnd: () => void,
    onOpen: () => void,
  ): Listening {
    return this.#socket.lines(
      eventsPath(key, sinceSeconds),
      (line) => {
        const event = parseEvent(line)
        if (event !== undefined && isOf(key, event)) onEvent(event)
      },
      onEnd,
      onOpen,
    )
  }

  /** About one a second, as long as the container runs. Those that come while none is due are not even read. */
  stats(
    id: string,
    isDue: () => boolean,
    onStats: (stats: ContainerStats) => void,
    onEnd: () => void,
  ): Listening {
    return this.#socket.lines(
      `/containers/${encodeURIComponent(id)}/stats?stream=1`,
      (line) => {
        if (!isDue()) return
        const stats = parseStats(jsonOrNull(line))
        if (stats !== undefined) onStats(stats)
      },
      onEnd,
    )
  }
}

function eventsPath(key: ContainerKey, sinceSeconds: number): string {
  const wanted = 'label' in key ? { label: [key.label] } : { container: [key.name] }
  const filters = encodeURIComponent(JSON.stringify({ type: ['container'], ...wanted }))
  return `/events?since=${sinceSeconds.toFixed(3)}&filters=${filters}`
}

/** Daemons also send events of containers whose name only begins so. A shorter piece of an id may be anybody's. */
const isOf = (key: ContainerKey, event: ContainerEvent): boolean =>
  'label' in key ? hasLabel(event.attributes, key.label) : isNamed(key.name, event)

const isNamed = (
  wanted: string,
  { id, name }: { readonly id: string; readonly name: string | null },
): boolean => name === wanted || (wanted.length >= shortIdLength && id.startsWith(wanted))

/** Finds the daemon; its socket may be there and nobody listen. */
export function openEngine(files: Files, engine: Engine, place: EnginePlace): Reading<EngineApi> {
  if (place.kind === 'elsewhere') return unavailable(place.why)
  const path = firstSocket(files, place.paths)
  return path === undefined
    ? unavailable(`there is no socket ${place.paths.join(' or ')}`)
    : ok(new EngineApi(engine, path))
}

function jsonOrNull(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
