import { commandGroup } from '../command/group.ts'

export const execute = commandGroup(
  'benchmark',
  'Runs a command several times, and says how long it takes and whether it got slower.',
  [
    {
      name: 'run',
      summary: 'run a command several times and measure each run',
      load: () => import('./benchmark-run.ts'),
    },
    { name: 'list', summary: 'all benchmarks', load: () => import('./benchmark-list.ts') },
    {
      name: 'compare',
      summary: 'two benchmarks side by side, and whether they differ by more than noise',
      load: () => import('./benchmark-compare.ts'),
    },
    {
      name: 'report',
      summary: 'a benchmark as text, Markdown, a page or JSON',
      load: () => import('./benchmark-report.ts'),
    },
  ],
)
