import { JobCgroups } from '../../launch/job-cgroups.ts'
import { chosenGauges } from '../../meter/gauges/chosen.ts'
import { Meter } from '../../meter/meter.ts'
import { whyNot } from '../../model/reading.ts'
import { endLeftHere } from '../../service/executors/end-left-here.ts'
import { openAttemptHost } from '../../service/executors/open-attempt-host.ts'
import { realSystem } from '../../system/real.ts'
import { AttemptFolder } from '../../workflow/executors/remote/attempt-folder.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand } from '../command/define.ts'
import { ExitError } from '../terminal/exit-error.ts'

/** As sysexits.h has them: what was named is not there; it cannot be written to; come back later. */
const missingCode = 72
const unwritableCode = 74
const takenCode = 75

const definition = defineCommand({
  name: 'attempt',
  aliases: [],
  summary: 'Runs one attempt of a workflow, as it was ordered from another machine.',
  usage: 'attempt FOLDER',
  description:
    'For executors, not for people: the order, and whatever becomes of it, lie in the folder. The exit code is that of the job, 72 if there is no such folder here, 74 if it cannot be written to, and 75 if the attempt was started or withdrawn before.',
  arguments: [{ name: 'folder', required: true, says: 'the folder of the attempt' }],
  options: {
    'end-left': {
      type: 'boolean',
      says: 'run nothing: end what is left of the attempt here, whose jobmeter was killed',
    },
  },
  examples: ['jobmeter attempt output/attempts/1-mhx3k0f2/0123456789abcdef0123456789abcdef'],
})

export const execute = commandAction(
  definition,
  async ({ options, arguments: { folder: path }, warmUp }) => {
    const system = realSystem({ ownsProcess: true, mostlyWaits: true })
    const folder = new AttemptFolder(system.files, path)
    if (options['end-left']) {
      endLeftHere(system, [folder])
      return 0
    }
    const written = folder.readOrder()
    if (written.kind !== 'ok')
      throw new ExitError(`${whyNot(written)} on ${system.host.name}`, missingCode)
    const { order, metrics } = written.value
    const meter = new Meter(system, await chosenGauges(system, metrics))
    const host = openAttemptHost({ system, meter, cgroups: new JobCgroups(system) }, folder.path)
    await warmUp
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      system.processes.onSignal(signal, () => host.endAll(signal))
    const begun = host.run(folder, order)
    if (begun.kind !== 'ok') throw new ExitError(whyNot(begun), unwritableCode)
    if (begun.value === 'taken')
      throw new ExitError(`attempt ${order.taskId} was started or withdrawn before`, takenCode)
    const { outcome } = await begun.value
    return system.processes.exit(outcome.exitCode ?? 1)
  },
)
