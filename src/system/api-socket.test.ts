import { createServer, type Server } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnswerTime } from './answer-time.ts'
import { apiSocket } from './api-socket.ts'

const directory = mkdtempSync(join(tmpdir(), 'jm-api-'))
const path = join(directory, 's')
let server: Server

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/json') response.end('{"a": 1}')
    else if (request.url === '/long') response.end('x'.repeat(5 * 2 ** 20))
    else if (request.url === '/drip') {
      const drip = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(drip))
    } else if (request.url === '/lines') {
      // In pieces that end anywhere.
      response.write('{"n":')
      setImmediate(() => response.end('1}\n\n{"n":2}\n'))
    } else if (request.url === '/bytes') {
      for (const byte of '{"n":1}\n\n{"n":2}\n{"n":') response.write(byte)
      response.end('3}\n')
    } else if (request.url === '/broken') response.socket?.destroy()
    else if (request.url === '/wordy') {
      response.statusCode = 500
      response.end('{"message":"no\\n  room\\r\\n"}')
    } else {
      response.statusCode = request.url === '/absent' ? 404 : 500
      response.end('{"message":"so it is"}')
    }
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
})
afterAll(() => {
  server.close()
  rmSync(directory, { recursive: true })
})

describe('apiSocket', () => {
  it('tells what a daemon says in one line', async () => {
    const why = { kind: 'failed', error: 'HTTP 500: no room' }
    expect(await apiSocket(path).get('/wordy')).toEqual(why)
  })

  it('answers JSON', async () => {
    expect(await apiSocket(path).get('/json')).toEqual({ kind: 'ok', value: { a: 1 } })
    expect(await apiSocket(path).post('/json')).toEqual({ kind: 'ok', value: true })
  })

  it('tells what is not there from what went wrong', async () => {
    const why = (status: number) => `HTTP ${status}: so it is`
    expect(await apiSocket(path).get('/absent')).toEqual({ kind: 'unavailable', why: why(404) })
    expect(await apiSocket(path).get('/other')).toEqual({ kind: 'failed', error: why(500) })
    expect((await apiSocket(path).get('/broken')).kind).toBe('failed')
    expect((await apiSocket(join(directory, 'nobody')).get('/json')).kind).toBe('failed')
  })

  it('refuses an answer without an end', async () => {
    expect((await apiSocket(path).get('/long')).kind).toBe('failed')
  })

  it('does not wait for the end of an answer that comes byte by byte', async () => {
    const answer = await apiSocket(path, new AnswerTime(200)).get('/drip')
    expect(answer).toEqual({ kind: 'failed', error: 'no whole answer in 0.2 s' })
  })

  it('hands lines on whole that come byte by byte', async () => {
    const lines: string[] = []
    await new Promise<void>((resolve) => {
      apiSocket(path).lines('/bytes', (line) => lines.push(line), resolve)
    })
    expect(lines).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
  })

  it('hands lines on as they come, and tells the end', async () => {
    const lines: string[] = []
    await new Promise<void>((end) => {
      apiSocket(path).lines('/lines', (line) => lines.push(line), end)
    })
    expect(lines).toEqual(['{"n":1}', '{"n":2}'])
  })
})
