import { whyNot } from '../../model/reading.ts'
import type { Rung } from '../../model/doctor.ts'
import { energyRemedy, Powercap } from '../../sensors/energy/powercap.ts'
import { loadPrices } from '../price-file.ts'
import { defaultPricePath } from '../price-path.ts'
import { UserError } from '../user-error.ts'
import { openSocketDiagnostics } from '../../system/socket-diagnostics.ts'
import type { System } from '../../system/system.ts'

/** What is measured or told only where it is asked for, or where the machine has it. */
export async function optionalRungs(system: System): Promise<Rung[]> {
  return [
    {
      name: 'threads',
      state: 'yes',
      finding: 'CPU time of the busiest threads, with --threads',
      remedy: null,
    },
    networkRung(),
    machineRung(system),
    energyRung(system),
    await priceRung(system),
  ]
}

function networkRung(): Rung {
  const name = 'network of a job'
  const diagnostics = openSocketDiagnostics()
  if (diagnostics.kind !== 'ok')
    return {
      name,
      state: 'partly',
      finding: `${whyNot(diagnostics)}: known only for jobs in a network namespace of their own`,
      remedy: 'npm install koffi',
    }
  diagnostics.value.close()
  return {
    name,
    state: 'yes',
    finding:
      'with --metrics network: the interfaces of its own network namespace, or else its TCP sockets, which is a lower bound',
    remedy: null,
  }
}

function machineRung({ files }: System): Rung {
  const name = 'interfaces and disks, one by one'
  const missing = ['/proc/net/dev', '/proc/diskstats'].filter(
    (path) => files.readText(path).kind !== 'ok',
  )
  return missing.length === 0
    ? { name, state: 'yes', finding: 'with --metrics network,disks', remedy: null }
    : {
        name,
        state: 'no',
        finding: `${missing.join(' and ')} cannot be read`,
        remedy: 'mount all of /proc',
      }
}

function energyRung(system: System): Rung {
  const name = 'energy of the CPUs'
  const counters = Powercap.open(system)
  if (counters.kind !== 'ok') {
    const why = whyNot(counters)
    const isLocked = why.includes(energyRemedy)
    return {
      name,
      state: 'no',
      finding: isLocked ? 'the energy counters are not ours to read' : why,
      remedy: isLocked ? energyRemedy : 'set watts_per_core in the price file for a model of it',
    }
  }
  const packages = counters.value.packages.map((each) => each.name).join(', ')
  counters.value.close()
  return {
    name,
    state: 'yes',
    finding: `RAPL counters of ${packages}; a job's share goes by its CPU time`,
    remedy: null,
  }
}

async function priceRung(system: System): Promise<Rung> {
  const name = 'prices'
  try {
    const file = await loadPrices(system, undefined, process.env)
    return file === undefined
      ? {
          name,
          state: 'no',
          finding: 'there is no price file',
          remedy: `write ${defaultPricePath(system, process.env)}: jobmeter reports cost then tells what jobs cost`,
        }
      : { name, state: 'yes', finding: file.path, remedy: null }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const [what = '', ...places] = error.message.split('\n')
    return {
      name,
      state: 'no',
      finding: places.length === 0 ? what : `${what}: ${places.join('; ')}`,
      remedy: 'mend the file, or have JOBMETER_PRICES name another',
    }
  }
}
