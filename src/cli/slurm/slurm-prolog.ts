import { sameProgram } from '../../service/actions/start-program.ts'
import { prologScript } from '../../service/slurm/site-scripts.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'

const definition = defineCommand({
  name: 'slurm prolog',
  aliases: [],
  summary: 'Prints a script for Prolog in slurm.conf that has every job of a node measured.',
  usage: 'slurm prolog [options] > /etc/slurm/prolog.d/jobmeter.sh',
  arguments: [],
  options: {
    ledger: {
      type: 'string',
      value: 'PATH',
      default: '/var/lib/jobmeter/slurm.db',
      says: 'where the records of the jobs of each node go',
    },
    interval: {
      type: 'duration',
      value: 'TIME',
      default: 30,
      min: 1,
      says: 'time between samples',
    },
  },
  examples: ['jobmeter slurm prolog > /etc/slurm/prolog.d/jobmeter.sh'],
})

export const execute = commandAction(definition, ({ options, console }) => {
  const { ledger, interval: intervalSeconds } = options
  console.print(prologScript({ program: sameProgram(), ledger, intervalSeconds }))
  return Promise.resolve(0)
})
