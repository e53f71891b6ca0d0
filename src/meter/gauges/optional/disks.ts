import { DiskTotals, parseDiskstats } from '../../../sensors/procfs/diskstats.ts'
import type { FollowedGauge, Gauge } from '../gauge.ts'
import { MachineRows } from './machine-rows.ts'

const rows = { kind: 'disk', columns: ['read_bytes', 'write_bytes', 'reads', 'writes'] } as const

/** At full looks: `/proc/diskstats`, a row for each disk of the machine. */
export const disksGauge: Gauge<never, never> = {
  name: 'disks',
  columns: [],
  figures: [],
  follow({ system, devices }): FollowedGauge<never, never> {
    const totals = new DiskTotals()
    const disks = new MachineRows(system.files, '/proc/diskstats', devices, rows)
    return {
      look(_row, _at, elapsedSeconds, full) {
        if (!full) return
        disks.look(elapsedSeconds, (bytes, length, keep) =>
          parseDiskstats(bytes, length, totals, (name, disk) =>
            keep(name, [disk.readBytes, disk.writeBytes, disk.reads, disk.writes]),
          ),
        )
      },
      figures: () => ({}),
    }
  },
}
