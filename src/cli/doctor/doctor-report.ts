import type { DoctorReport } from '../../model/doctor.ts'
import { ledgerRung, machineRungs } from '../../service/doctor/machine-rungs.ts'
import type { System } from '../../system/system.ts'
import { version } from '../version.ts'
import { agentRungs } from './agent-rungs.ts'
import { serverRungs } from './server-rungs.ts'

/** What can be measured on this machine, and whether the ledger at this path can be written to. */
export const doctorReport = async (system: System, ledger: string): Promise<DoctorReport> => ({
  version,
  node: process.version,
  kernel: system.host.kernel,
  host: system.host.name,
  rungs: [
    ...(await machineRungs(system, process.env)),
    ...(await agentRungs(system)),
    ...(await serverRungs(system, ledger)),
    ledgerRung(system, ledger),
  ],
})
