import { commandGroup } from '../command/group.ts'

export const execute = commandGroup(
  'reports',
  'Was the request right, what happened, will it scale, what changed?',
  [
    {
      name: 'check-resource-utilization',
      summary: "a workflow's jobs against what they asked for",
      load: () => import('./reports-utilization.ts'),
    },
    {
      name: 'recommend',
      summary: 'what to ask for next time, and write it into the file',
      load: () => import('./reports-recommend.ts'),
    },
    {
      name: 'job',
      summary: 'what happened with one job',
      load: () => import('./reports-job.ts'),
    },
    {
      name: 'scaling',
      summary: 'whether a job would use more',
      load: () => import('./reports-scaling.ts'),
    },
    {
      name: 'compare',
      summary: 'two runs or sets of runs side by side',
      load: () => import('./reports-compare.ts'),
    },
  ],
)
