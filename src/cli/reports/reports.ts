import { commandGroup } from '../command/group.ts'

export const execute = commandGroup(
  'reports',
  'Was the request right, what happened, will it scale, what changed?',
  [
    {
      name: 'check-resource-utilization',
      summary: "compare a workflow's jobs with what they asked for",
      load: () => import('./reports-utilization.ts'),
    },
    {
      name: 'recommend',
      summary: 'recommend what to ask for next time, and write it into the file',
      load: () => import('./reports-recommend.ts'),
    },
    {
      name: 'job',
      summary: 'what happened in one job',
      load: () => import('./reports-job.ts'),
    },
    {
      name: 'scaling',
      summary: 'whether a job would benefit from more cores',
      load: () => import('./reports-scaling.ts'),
    },
    {
      name: 'compare',
      summary: 'two runs or sets of runs side by side',
      load: () => import('./reports-compare.ts'),
    },
    {
      name: 'cost',
      summary: 'what jobs cost, by request and by use, and their energy and CO2',
      load: () => import('./reports-cost.ts'),
    },
  ],
)
