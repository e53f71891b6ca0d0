import { epilogScript } from '../../service/slurm/site-scripts.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'

const definition = defineCommand({
  name: 'slurm epilog',
  aliases: [],
  summary: 'Prints a script for Epilog in slurm.conf that ends what the prolog began.',
  usage: 'slurm epilog > /etc/slurm/epilog.d/jobmeter.sh',
  arguments: [],
  options: {},
  examples: ['jobmeter slurm epilog > /etc/slurm/epilog.d/jobmeter.sh'],
})

export const execute = commandAction(definition, ({ console }) => {
  console.print(epilogScript())
  return Promise.resolve(0)
})
