import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EngineApi } from '../../sensors/container/engine-api.ts'
import { realClock } from '../../system/real-clock.ts'
import { endContainer, endUnstarted } from './end-container.ts'

describe('a container that is to end', () => {
  it('has not ended because its daemon is gone', async () => {
    const nobody = new EngineApi('docker', join(tmpdir(), 'jobmeter-no-daemon'))
    expect(await endContainer({ clock: realClock }, nobody, 'a'.repeat(64))).toBe(false)
  })
})

const [made = '', running = '', over = ''] = ['a', 'b', 'c'].map((letter) => letter.repeat(64))

/** A daemon with containers of a job; `answer` says what it answers to anything but the list. */
async function daemonOf(
  answer: (request: string) => { readonly code: number; readonly body?: unknown },
  images: Readonly<Record<string, unknown>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'jobmeter-daemon-'))
  const asked: string[] = []
  const server = createServer(({ method = '', url = '' }, response) => {
    const request = `${method} ${decodeURIComponent(url)}`
    asked.push(request)
    const Labels = { 'jobmeter.task': 'abc' }
    const listed = [
      { Id: made, State: 'created', Labels, ImageID: 'plain' },
      { Id: running, State: 'running', Labels, ImageID: 'committed' },
      { Id: over, State: 'exited', Labels, ImageID: 'plain' },
    ]
    const image = /^GET \/images\/(.*)\/json$/.exec(request)?.[1]
    const { code, body } = request.startsWith('GET /containers/json')
      ? { code: 200, body: listed }
      : image === undefined
        ? answer(request)
        : { code: 200, body: images[image] ?? { Config: { Labels: null } } }
    response.statusCode = code
    response.end(body === undefined ? '' : JSON.stringify(body))
  })
  server.listen(join(folder, 'socket'))
  await once(server, 'listening')
  return {
    api: new EngineApi('docker', join(folder, 'socket')),
    asked,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const inspected = (id: string, State: object): { code: number; body: unknown } => ({
  code: 200,
  body: { Id: id, Name: '/one', State },
})

describe('a container of a job that was ended early', () => {
  const label = 'jobmeter.task=abc'
  const system = { clock: realClock }

  it('is removed where it was made and never started, and no other is', async () => {
    using daemon = await daemonOf((request) =>
      request.startsWith('DELETE') ? { code: 204 } : inspected(made, { Running: false }),
    )
    const became = await endUnstarted(system, daemon.api, label)
    expect(became).toEqual({ kind: 'ok', value: { ended: [], left: [] } })
    expect(daemon.asked.filter((request) => !request.startsWith('GET'))).toEqual([
      `DELETE /containers/${made}`,
    ])
  })

  it('is ended where its daemon was just starting it and therefore refused to remove it', async () => {
    let isStarted = false
    let isKilled = false
    using daemon = await daemonOf((request) => {
      if (request.startsWith('POST')) isKilled = true
      if (request.startsWith('GET')) return inspected(made, { Running: isStarted && !isKilled })
      const code = request.startsWith('DELETE') ? 409 : 204
      isStarted = true
      return { code }
    })
    const became = await endUnstarted(system, daemon.api, label)
    expect(became).toEqual({ kind: 'ok', value: { ended: [made], left: [] } })
    expect(isKilled).toBe(true)
  })

  it('is told as left where it can neither be removed nor be seen to start', async () => {
    using daemon = await daemonOf((request) =>
      request.startsWith('GET') ? inspected(made, { Running: false }) : { code: 409 },
    )
    const became = await endUnstarted(system, daemon.api, label, 0.1)
    expect(became).toEqual({ kind: 'ok', value: { ended: [], left: [made] } })
  })

  it('is not one of an image that was made of a container of the job', async () => {
    const Labels = { 'jobmeter.task': 'abc' }
    using daemon = await daemonOf(() => ({ code: 404 }), { committed: { Config: { Labels } } })
    expect(await daemon.api.living(label)).toEqual({ kind: 'ok', value: [] })
    using other = await daemonOf(() => ({ code: 404 }))
    expect(await other.api.living(label)).toEqual({ kind: 'ok', value: [running] })
  })
})
