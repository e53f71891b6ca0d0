import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { realSystem } from '../../system/real.ts'
import { endLeftContainers } from './left-containers.ts'

it('asks a daemon that does not answer once, however many jobs were left', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jm-left-'))
  const socket = join(directory, 'd.sock')
  let asked = 0
  const daemon = createServer((connection) => {
    asked += 1
    connection.destroy()
  }).listen(socket)
  await once(daemon, 'listening')
  const jobs = ['a', 'b', 'c'].map((taskId) => ({
    taskId,
    command: ['docker', 'run', 'image'],
    environment: { DOCKER_HOST: `unix://${socket}` },
  }))
  const { ended, running, unasked } = await endLeftContainers(
    realSystem({ ownsProcess: false }),
    jobs,
  )
  daemon.close()
  rmSync(directory, { recursive: true })
  expect([ended, running, unasked.length, asked]).toEqual([[], [], 1, 1])
})
