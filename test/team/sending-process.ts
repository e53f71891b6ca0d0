import { LedgerSender } from '../../src/service/team/ledger-sender.ts'
import { realSystem } from '../../src/system/real.ts'

/** Sends a ledger for ever, whatever happens: `sending-process.ts LEDGER ADDRESS`. */
const [, , ledger = '', address = ''] = process.argv
const sender = new LedgerSender(realSystem({ ownsProcess: false }), {
  ledger,
  address,
  version: 'test',
  limitSeconds: 5,
})
for (;;) {
  await sender.send(Math.random() < 0.5).catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, 20))
}
