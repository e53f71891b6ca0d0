import { markLimits, marksVariable } from '../../model/marks/mark.ts'
import { whyNot } from '../../model/reading.ts'
import { UserError } from '../../service/user-error.ts'
import { appendText } from '../../system/append-file.ts'
import { realClock } from '../../system/real-clock.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'

const definition = defineCommand({
  name: 'mark',
  aliases: [],
  summary: 'Marks a moment in the job that it is called from, for its series, plots and reports.',
  usage: 'mark [options]',
  description:
    'To be called inside a job that jobmeter runs. A program can also write lines to the file that JOBMETER_MARKS names, such as step=50 epoch=1 phase=train, or the same as JSON.',
  arguments: [],
  options: {
    step: { type: 'number', value: 'N', min: 0, says: 'how many steps are done' },
    epoch: { type: 'number', value: 'N', min: 0, says: 'the epoch that begins or goes on' },
    phase: {
      type: 'string',
      value: 'NAME',
      example: 'train',
      says: 'the phase that begins or goes on',
    },
    message: { type: 'string', value: 'TEXT', says: 'what happened' },
    ...globalOptions,
  },
  examples: [
    'jobmeter mark --phase load',
    'jobmeter mark --step 50 --epoch 1 --phase train',
    'jobmeter mark --message "checkpoint written"',
  ],
})

export const execute = commandAction(definition, ({ options }) => {
  const { step, epoch, phase, message } = options
  if ([step, epoch, phase, message].every((given) => given === undefined))
    throw new UserError(
      'give --step, --epoch, --phase or --message. Example: --phase train',
      'usage',
    )
  const path = process.env[marksVariable] ?? ''
  if (path === '')
    throw new UserError(
      `${marksVariable} is not set, so this is not inside a job that jobmeter runs. jobmeter watch cannot take marks: the environment of a running process cannot be changed`,
    )
  const line = {
    time: realClock.wallSeconds(),
    step,
    epoch,
    phase: phase?.slice(0, markLimits.phaseLength),
    message: message?.slice(0, markLimits.messageLength),
  }
  const written = appendText(path, `${JSON.stringify(line)}\n`, 0o600)
  if (written.kind !== 'ok') throw new UserError(`the mark was not written: ${whyNot(written)}`)
  return 0
})
