import { expect, it } from 'vitest'
import { hiddenContainersText } from './notice-text.ts'

it('does not claim that a script starts a container: its words alone show that it may', () => {
  const jobs = ['a', 'b', 'c', 'd', 'e', 'f'].map((job) => ({ job, engine: 'docker' }))
  const advice =
    'make "docker run" the whole command, without shell syntax outside of quotes, or use the key container'
  expect(hiddenContainersText(jobs.slice(0, 1))).toBe(
    `a script (a) seems to start a container with "docker run". Such a container is neither measured nor ended with its job, and --resume does not find it: ${advice}`,
  )
  expect(hiddenContainersText(jobs)).toContain(
    'scripts (a, b, c, d, e and 1 more) seem to start containers with "docker run". ',
  )
})
