import { defineCommand } from '../command/define.ts'
import { queueOptions } from './queue-options.ts'
import { jobOptions } from './submit-definition.ts'

export const submitToolDefinition = defineCommand({
  name: 'submit',
  aliases: [],
  summary: 'Puts a task of a tool into the queue of the team, and prints its id.',
  usage: 'submit TOOL [SCRIPT] [options]',
  description:
    'The file of tools says how each is run, in which container image, and what it asks for: tools.yaml beside your other settings, $JOBMETER_TOOLS, or --tools. Options say otherwise for this task.',
  arguments: [
    { name: 'tool', required: true, says: 'the name of the tool' },
    { name: 'script', required: false, says: 'what it runs' },
  ],
  options: {
    tools: { type: 'string', value: 'FILE', says: 'the file of tools' },
    ...jobOptions,
    ...queueOptions,
  },
  examples: [
    'jobmeter submit fenicsx poisson.py --param mesh_size=64 --wait',
    'jobmeter submit lammps in.melt --cpus 8 --tools tools.yaml',
  ],
})
