import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../../../test/program.ts'

/** A daemon that knows one container, `stopped`, which does not run. */
async function daemonIn(box: Sandbox) {
  const socket = box.path('s')
  const server = createServer(({ url = '' }, answer) => {
    if (url.includes('/events')) answer.flushHeaders()
    else if (url.includes('/stopped/'))
      answer.end(
        JSON.stringify({ Id: 'a1'.repeat(32), Name: '/stopped', State: { Running: false } }),
      )
    else {
      answer.statusCode = 404
      answer.end(JSON.stringify({ message: 'No such container' }))
    }
  }).listen(socket)
  await once(server, 'listening')
  return {
    env: { DOCKER_HOST: `unix://${socket}`, CONTAINER_HOST: `unix://${box.path('nowhere')}` },
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** It runs until something is typed. */
const waits = ['--', 'sh', '-c', 'read line']

describe('watch --container', () => {
  it('says in plain words that there is no such container', async () => {
    using box = sandbox()
    using daemon = await daemonIn(box)
    const { code, stderr } = await box.jobmeter(['watch', '--container', 'nosuch'], daemon)
    expect(code).not.toBe(0)
    expect(stderr).toBe('jobmeter: there is no container nosuch (docker: No such container)\n')
  })
})

describe('run --in-container-of', () => {
  it.each([
    ['databse', 'there is no container databse yet: it is looked for while the job runs'],
    ['stopped', 'container stopped does not run yet: it is looked for while the job runs'],
  ])('tells early that the container is not there: %s', async (name, words) => {
    using box = sandbox()
    using daemon = await daemonIn(box)
    const running = box.start(['run', '--in-container-of', name, ...waits], daemon)
    expect(await running.saw('while the job runs')).toContain(`jobmeter: ${words}\n`)
    running.type('\n')
    expect(await running.ended).toMatchObject({ code: 0 })
  })

  it('tells early that no daemon can be asked', async () => {
    using box = sandbox()
    const nowhere = `unix://${box.path('nowhere')}`
    const env = { DOCKER_HOST: nowhere, CONTAINER_HOST: nowhere }
    const running = box.start(['run', '--in-container-of', 'database', ...waits], { env })
    expect(await running.saw('cannot be measured')).toContain('container database cannot be')
    running.type('\n')
    expect(await running.ended).toMatchObject({ code: 0 })
  })

  it.each([['--quiet'], ['--format', 'json']])(
    'tells it at the end alone: %s',
    async (...options) => {
      using box = sandbox()
      using daemon = await daemonIn(box)
      const args = ['run', ...options, '--in-container-of', 'databse', '--', 'true']
      const { stderr } = await box.jobmeter(args, daemon)
      expect(stderr).not.toContain('while the job runs')
      expect(stderr).toContain('container databse was not measured: there was no container databse')
    },
  )
})
