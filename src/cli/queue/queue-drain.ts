import { stateCommand } from './set-state.ts'

export const execute = stateCommand('drain', 'draining', {
  summary: 'Has the queue accept no more jobs.',
  description: 'Workers finish what waits and runs: the way to an empty queue before an upgrade.',
  done: 'The queue takes no more jobs; those that wait are still run.',
})
