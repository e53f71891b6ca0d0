import type { NodeDevice } from '../../model/node-round.ts'
import { DiskTotals, parseDiskstats } from '../../sensors/procfs/diskstats.ts'
import { isLeftOut, NetTotals, parseNetDev } from '../../sensors/procfs/net-dev.ts'
import { ReadBuffer } from '../../sensors/read-buffer.ts'
import type { Files } from '../../system/system.ts'

/** A node of many containers or network disks has more, which would fill the database: the first ones are told. */
const mostOfAKind = 64

interface Counters {
  readonly inBytes: number
  readonly outBytes: number
}
type Counted = ReadonlyMap<string, Counters>

/** The disks and interfaces of the node, one by one. Those that hand on what another counts are left out. */
export class DeviceCounters {
  readonly #files: Files
  readonly #buffer = new ReadBuffer()
  readonly #disks = new DiskTotals()
  readonly #net = new NetTotals()
  #before: { readonly disk: Counted; readonly interface: Counted } = {
    disk: new Map(),
    interface: new Map(),
  }

  constructor(files: Files) {
    this.#files = files
  }

  /** What each counted since the look before; one that is new has no figures yet. */
  look(): NodeDevice[] {
    const now = { disk: this.#readDisks(), interface: this.#readInterfaces() }
    const before = this.#before
    this.#before = now
    return (['disk', 'interface'] as const).flatMap((kind) =>
      [...now[kind]].map(([name, counters]) =>
        gained(kind, name, counters, before[kind].get(name)),
      ),
    )
  }

  #readDisks(): Counted {
    const found = new Map<string, Counters>()
    const length = this.#buffer.readPath(this.#files, '/proc/diskstats')
    if (length > 0)
      parseDiskstats(this.#buffer.bytes, length, this.#disks, (name, { readBytes, writeBytes }) => {
        if (found.size < mostOfAKind) found.set(name, { inBytes: readBytes, outBytes: writeBytes })
      })
    return found
  }

  #readInterfaces(): Counted {
    const found = new Map<string, Counters>()
    const length = this.#buffer.readPath(this.#files, '/proc/net/dev')
    if (length > 0)
      parseNetDev(this.#buffer.bytes, length, this.#net, (name, inBytes, outBytes) => {
        if (found.size < mostOfAKind && !isLeftOut(name)) found.set(name, { inBytes, outBytes })
      })
    return found
  }
}

function gained(
  kind: 'disk' | 'interface',
  name: string,
  now: Counters,
  before: Counters | undefined,
): NodeDevice {
  const rest = { busySeconds: null, joules: null, memoryBytes: null }
  const gain = (field: keyof Counters): number | null => {
    const value = now[field] - (before?.[field] ?? Number.NaN)
    // A counter that went back is of another device by the same name.
    return value >= 0 ? value : null
  }
  return { kind, name, inBytes: gain('inBytes'), outBytes: gain('outBytes'), ...rest }
}
