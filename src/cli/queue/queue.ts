import { commandGroup } from '../command/group.ts'

export const execute = commandGroup('queue', 'The queue of the team.', [
  {
    name: 'status',
    summary: 'what waits, what runs, and where',
    load: () => import('./queue-status.ts'),
  },
  {
    name: 'list',
    summary: 'its jobs, with their ids',
    load: () => import('./queue-list.ts'),
  },
  {
    name: 'why',
    summary: 'why a job has not begun',
    load: () => import('./queue-why.ts'),
  },
  {
    name: 'pause',
    summary: 'have workers take nothing more for now',
    load: () => import('./queue-pause.ts'),
  },
  {
    name: 'resume',
    summary: 'open the queue again',
    load: () => import('./queue-resume.ts'),
  },
  {
    name: 'drain',
    summary: 'accept no more jobs, and finish what there is',
    load: () => import('./queue-drain.ts'),
  },
  {
    name: 'share',
    summary: 'how much of it each user gets',
    load: () => import('./queue-share.ts'),
  },
])
