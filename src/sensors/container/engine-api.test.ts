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

it('takes no event for one of a label that the container does not have', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jm-engine-'))
  const labelled = (Attributes: object): string =>
    JSON.stringify({
      Type: 'container',
      Action: 'start',
      Actor: { ID: 'a'.repeat(64), Attributes },
    })
  const events = [labelled({ task: 'other' }), labelled({}), labelled({ task: 'own', name: 'db' })]
  // As a front of the API that drops the filters.
  const daemon = createServer((_, response) => response.end(`${events.join('\n')}\n`))
  await new Promise<void>((resolve) => daemon.listen(join(directory, 's'), resolve))
  const api = new EngineApi('docker', join(directory, 's'))
  const past = await api.pastEvents({ label: 'task=own' }, 0, 1)
  expect(past).toMatchObject({ kind: 'ok', value: [{ name: 'db' }] })
  daemon.close()
  rmSync(directory, { recursive: true })
})
