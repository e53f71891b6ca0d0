import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HttpLine } from './http-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'jobmeter-tls-'))
let server: Server
let url: string
const pem = { certificate: '', key: '' }
const seen: string[] = []

beforeAll(async () => {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const words = `req -x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${certificate} -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost`
  execFileSync('openssl', words.split(' '), { stdio: 'ignore' })
  pem.certificate = readFileSync(certificate, 'utf8')
  pem.key = readFileSync(key, 'utf8')
  server = createServer(
    {
      cert: pem.certificate,
      key: pem.key,
      ca: pem.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => {
      seen.push((request.socket as TLSSocket).authorized ? 'known' : 'unknown')
      request.resume().on('end', () => response.writeHead(200).end('x'.repeat(200_000)))
    },
  )
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  url = `https://localhost:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const message = () => ({ url, headers: { a: 'b' }, body: new Uint8Array(3), timeoutSeconds: 10 })

describe('a line to a server with TLS', () => {
  it('is refused where nobody vouches for the server', async () => {
    const line = new HttpLine({})
    expect(await line.post(message())).toEqual({
      kind: 'failed',
      error: 'the server cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)',
    })
    line.close()
  })

  it('works with whom the configuration trusts, says who we are, and reads no answer without end', async () => {
    const line = new HttpLine({ ca: pem.certificate, cert: pem.certificate, key: pem.key })
    const reply = await line.post(message())
    expect(reply).toMatchObject({ kind: 'ok', value: { status: 200 } })
    expect(reply.kind === 'ok' ? reply.value.text.length : 0).toBe(65_536)
    expect(seen.at(-1)).toBe('known')
    line.close()
  })
})
