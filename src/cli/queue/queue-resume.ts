import { stateCommand } from './set-state.ts'

export const execute = stateCommand('resume', 'open', {
  summary: 'Opens the queue after it was paused or drained.',
  description: 'Jobs can be submitted, and workers take them.',
  done: 'The queue is open.',
})
