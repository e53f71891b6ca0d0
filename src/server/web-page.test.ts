import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { webPage } from './web-page.ts'

const built = new Map([
  ['index.html', 'the page'],
  ['theme.js', 'the theme'],
  ['assets/home-1.js', 'home'],
])

const app = (files: ReadonlyMap<string, string>) =>
  new Hono().get(
    '*',
    webPage((path) => {
      const text = files.get(path)
      const bytes = new TextEncoder().encode(text)
      return text === undefined ? undefined : { bytes, type: 'text/plain', isFixed: false }
    }),
  )

describe('webPage', () => {
  it.each([
    ['/', 'the page'],
    ['/jobs', 'the page'],
    ['/nodes/node01.example.org', 'the page'],
    ['/node-jobs/slurm:4711@node01.example.org', 'the page'],
    ['/theme.js', 'the theme'],
    ['/assets/home-1.js', 'home'],
  ])('%s is %s', async (path, text) => {
    const answer = await app(built).request(path)
    expect([answer.status, await answer.text()]).toEqual([200, text])
  })

  it.each(['/assets/home-0.js', '/assets/', '/api/v1/nothing'])('%s is nothing', async (path) => {
    const { status } = await app(built).request(path)
    expect(status).not.toBe(200)
  })

  it('says so where nothing was built', async () => {
    expect((await app(new Map()).request('/jobs')).status).not.toBe(200)
  })
})
