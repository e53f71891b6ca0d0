import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EngineApi } from '../../sensors/container/engine-api.ts'
import { realClock } from '../../system/real-clock.ts'
import { endContainer, removeUnstarted } from './end-container.ts'

describe('a container that is to end', () => {
  it('has not ended because its daemon is gone', async () => {
    const nobody = new EngineApi('docker', join(tmpdir(), 'jobmeter-no-daemon'))
    expect(await endContainer({ clock: realClock }, nobody, 'a'.repeat(64))).toBe(false)
  })
})

describe('a container of a job that was ended early', () => {
  it('is removed where it was made and never started, and no other is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobmeter-daemon-'))
    const [made, running, over] = ['a', 'b', 'c'].map((letter) => letter.repeat(64))
    const asked: string[] = []
    const server = createServer(({ method = '', url = '' }, answer) => {
      asked.push(`${method} ${decodeURIComponent(url)}`)
      const Labels = { 'jobmeter.task': 'abc' }
      const list = [
        { Id: made, State: 'created', Labels },
        { Id: running, State: 'running', Labels },
        { Id: over, State: 'exited', Labels },
      ]
      answer.statusCode = method === 'DELETE' ? 204 : 200
      answer.end(method === 'DELETE' ? '' : JSON.stringify(list))
    })
    server.listen(join(folder, 'socket'))
    await once(server, 'listening')
    await removeUnstarted(new EngineApi('docker', join(folder, 'socket')), 'jobmeter.task=abc')
    server.close()
    rmSync(folder, { recursive: true })
    expect(asked).toEqual([
      'GET /containers/json?all=1&filters={"label":["jobmeter.task=abc"],"status":["created"]}',
      `DELETE /containers/${made}`,
    ])
  })
})
