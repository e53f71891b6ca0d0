import type { Rung } from '../../model/doctor.ts'
import { UserError } from '../../service/user-error.ts'
import type { System } from '../../system/system.ts'
import { loadServerConfig } from '../server/server-config.ts'

/** What `jobmeter serve` does besides, if it is configured: sends metrics elsewhere. */
export async function serverRungs(system: System, ledger: string): Promise<Rung[]> {
  try {
    const { remote } = await loadServerConfig(system, undefined)
    if (remote.length === 0) return []
    const { remoteRungs } = await import('./remote-rungs.ts')
    return await remoteRungs('serve', ledger, remote, system.clock)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const remedy = 'mend the configuration of the server'
    return [{ name: 'serve: configuration', state: 'no', finding: error.message, remedy }]
  }
}
