import { failed, ok, unavailable, type Reading } from '../../model/reading.ts'
import {
  familyRequest,
  listenRequest,
  parseAcknowledgement,
  parseFamily,
  parseTaskEnds,
  type TaskEnd,
} from '../../sensors/netlink/taskstats.ts'
import { openGenericNetlink, type GenericNetlink } from '../../system/generic-netlink.ts'
import type { System } from '../../system/system.ts'
import type { ExitRecords } from './exit-record.ts'
import { TaskCount } from './task-count.ts'

/** The kernel charges about 2 KiB for each record: room for some 50,000 ends between two drains. */
const keptBytes = 64 * 1024 * 1024
/** So often what came is read, so that a burst does not fill the kernel's buffer between two rounds. */
const quietSeconds = 4
/** After a drain of so many it is read each second. */
const manyRecords = 2_000
const namesOfCpus = '/sys/devices/system/cpu/possible'

/** The ends of all processes, from the kernel's taskstats, which only root is told. */
export function openTaskstats(system: System): Reading<ExitRecords> {
  const socket = openGenericNetlink(keptBytes)
  if (socket.kind !== 'ok') return socket
  const refusal = listen(system, socket.value)
  if (refusal !== undefined) {
    socket.value.close()
    return refusal
  }
  return ok(new Taskstats(system, socket.value))
}

function listen(system: System, socket: GenericNetlink): Reading<never> | undefined {
  const family = socket.send(familyRequest()) ? socket.receive() : 'none'
  const id = typeof family === 'string' ? undefined : parseFamily(family)
  if (id === undefined) return unavailable('this kernel has no taskstats (CONFIG_TASKSTATS)')
  const cpus = system.files.readText(namesOfCpus)
  const asked = cpus.kind === 'ok' ? cpus.value.trim() : `0-${system.host.onlineCores - 1}`
  socket.send(listenRequest(id, asked))
  // The answer to the first request is followed by its acknowledgement.
  for (let tries = 0; tries < 3; tries++) {
    const answer = socket.receive()
    if (typeof answer === 'string') break
    const error = parseAcknowledgement(answer)
    if (error === undefined) continue
    if (error !== 0)
      return error === 1
        ? unavailable('only root is told of the ends of processes')
        : failed(`the kernel refused to tell of the ends of processes (error ${error})`)
  }
  return undefined
}

class Taskstats implements ExitRecords {
  readonly #system: System
  readonly #socket: GenericNetlink
  #records: TaskEnd[] = []
  readonly #count: TaskCount
  #hasLost = false
  #isBusy = false
  #cancel: () => void

  constructor(system: System, socket: GenericNetlink) {
    this.#system = system
    this.#socket = socket
    this.#count = new TaskCount(system)
    this.#cancel = this.#wait()
  }

  drain(): { readonly records: readonly TaskEnd[]; readonly lost: number } {
    this.#read()
    const records = this.#records
    const ended = this.#count.endedSince()
    const lost = this.#hasLost ? Math.max(1, ended - records.length) : 0
    this.#records = []
    this.#hasLost = false
    return { records, lost }
  }

  close(): void {
    this.#cancel()
    this.#socket.close()
  }

  #wait(): () => void {
    return this.#system.clock.after(this.#isBusy ? 1 : quietSeconds, () => {
      const before = this.#records.length
      this.#read()
      this.#isBusy = this.#records.length - before > manyRecords
      this.#cancel = this.#wait()
    })
  }

  #read(): void {
    for (;;) {
      const came = this.#socket.receive()
      if (came === 'none') return
      if (came === 'lost') this.#hasLost = true
      else parseTaskEnds(came, this.#records)
    }
  }
}
