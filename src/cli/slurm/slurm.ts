import { commandGroup } from '../command/group.ts'

export const execute = commandGroup('slurm', 'Jobs of Slurm, measured by jobmeter.', [
  {
    name: 'attach',
    summary: 'follow a job that was submitted without jobmeter',
    load: () => import('./slurm-attach.ts'),
  },
  {
    name: 'compare',
    summary: 'our figures beside those of sacct, and why they differ',
    load: () => import('./slurm-compare.ts'),
  },
  {
    name: 'prolog',
    summary: 'a script that has every job of a node measured',
    load: () => import('./slurm-prolog.ts'),
  },
  {
    name: 'epilog',
    summary: 'the script that goes with it',
    load: () => import('./slurm-epilog.ts'),
  },
  {
    name: 'worker',
    summary: 'pull jobs of a workflow in an allocation',
    load: () => import('./slurm-worker.ts'),
  },
])
