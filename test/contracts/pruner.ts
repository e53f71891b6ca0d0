/**
 * A process of its own that prunes a ledger, and says when it begins. Arguments: the path of the ledger, and the time before
 * which everything is to go.
 */
import { writeSync } from 'node:fs'
import { openLedgerAt } from '../../src/record/open-ledger.ts'
import { pruneLedger } from '../../src/record/prune-ledger.ts'
import { realSystem } from '../../src/system/real.ts'

const [path = '', before = '0'] = process.argv.slice(2)
const system = realSystem({ ownsProcess: false })
const ledger = openLedgerAt(system, path)
writeSync(1, 'begins\n')
pruneLedger(system, ledger, Number(before))
ledger.close()
