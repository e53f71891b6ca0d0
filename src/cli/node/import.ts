import { commandGroup } from '../command/group.ts'

export const execute = commandGroup(
  'import',
  'Takes over what other tools have recorded of nodes, so that their history is there on the first day.',
  [
    {
      name: 'sonar',
      summary: 'samples of Sonar: files or directories of JSON or CSV',
      load: () => import('./import-sonar.ts'),
    },
    {
      name: 'sacct',
      summary: 'what Slurm has accounted, as printed by sacct -P',
      load: () => import('./import-sacct.ts'),
    },
  ],
)
