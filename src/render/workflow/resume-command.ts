import { wordToType } from '../text/word-to-type.ts'

/** The command that goes on with a workflow and the file that it was made from, as it is now. */
export const resumeCommand = (specPath: string, workflowId: number): string =>
  `jobmeter run ${wordToType(specPath)} --resume ${workflowId}`
