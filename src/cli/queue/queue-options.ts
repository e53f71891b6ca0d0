import { globalOptions, type OptionTable } from '../command/define.ts'

/** For the commands that speak to the queue of a team. */
export const queueOptions = {
  format: globalOptions.format,
  db: {
    type: 'string',
    value: 'URL',
    example: 'postgres://db.example.org/jobmeter',
    says: 'the database of the team instead of the one that you joined, or of $JOBMETER_TEAM',
  },
} as const satisfies OptionTable
