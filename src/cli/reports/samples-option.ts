import type { OptionTable } from '../command/define.ts'

/** For commands that read samples. */
export const samplesOption = {
  'output-dir': {
    type: 'string',
    value: 'DIR',
    says: "the output directory of the job's workflow, if it was moved",
  },
} as const satisfies OptionTable
