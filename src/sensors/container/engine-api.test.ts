import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EngineApi } from './engine-api.ts'

it('takes a container by its whole name or id, not by any start of an id', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jm-engine-'))
  const id = `db${'0'.repeat(62)}`
  // As daemons do, it finds a container by any start of its id.
  const daemon = createServer((_, response) =>
    response.end(JSON.stringify({ Id: id, Name: '/other', State: { Running: true } })),
  )
  await new Promise<void>((resolve) => daemon.listen(join(directory, 's'), resolve))
  const api = new EngineApi('docker', join(directory, 's'))
  for (const name of ['other', id, id.slice(0, 12)])
    expect(await api.inspect(name), name).toMatchObject({ kind: 'ok', value: { name: 'other' } })
  expect(await api.inspect('db')).toEqual({
    kind: 'unavailable',
    why: 'no container has exactly the name or id db',
  })
  daemon.close()
  rmSync(directory, { recursive: true })
})
