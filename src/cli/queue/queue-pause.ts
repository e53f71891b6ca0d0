import { stateCommand } from './set-state.ts'

export const execute = stateCommand('pause', 'paused', {
  summary: 'Has workers take no more jobs.',
  description: 'What runs goes on, and jobs can still be submitted: they wait.',
  done: 'The queue is paused.',
})
