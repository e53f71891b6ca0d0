import { guardWorker } from '../../service/queue/guard.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { endingSignals } from '../terminal/ending-signals.ts'

const definition = defineCommand({
  name: 'worker-guard',
  aliases: [],
  summary: 'Ends the jobs of a worker that is dead, or has lost its lease.',
  usage: 'worker-guard PID START SIGN LEDGER',
  description: 'For workers, which start it, and not for people. It ends when its worker has.',
  arguments: [
    { name: 'pid', required: true, says: 'of the worker' },
    { name: 'start', required: true, says: 'when that began, in ticks since boot' },
    { name: 'sign', required: true, says: 'the name of its sign of life' },
    { name: 'ledger', required: true, says: 'beside which that lies' },
  ],
  options: {},
  examples: ['jobmeter worker-guard 4711 123456 0123456789abcdef0123456789abcdef ledger.db'],
})

export const execute = commandAction(definition, async ({ arguments: given }) => {
  const system = realSystem({ ownsProcess: true, mostlyWaits: true })
  // Whoever ends the worker may mean all of its group, and the jobs must not be left alone.
  for (const signal of endingSignals) system.processes.onSignal(signal, () => {})
  await guardWorker(system, {
    pid: Number(given.pid),
    startTicks: Number(given.start),
    sign: given.sign,
    ledger: given.ledger,
    team: process.env['JOBMETER_TEAM'] ?? '',
  })
  return 0
})
