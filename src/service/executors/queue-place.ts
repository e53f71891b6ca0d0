import { QueueExecutor } from '../../workflow/executors/queue/queue-executor.ts'
import { openNamedQueue, queueAddress } from '../queue/open-queue.ts'
import { LedgerHandles } from './ledger-handles.ts'
import type { RunPlace, PlaceTools } from './run-place.ts'

/** So many are handed over at most, where nobody says otherwise. */
const mostQueued = 10_000

/** The queue of the team. */
export async function openQueuePlace({
  system,
  ledger,
  settings,
  trouble,
}: PlaceTools): Promise<RunPlace> {
  const address = queueAddress(system, process.env, 'no option', ledger.path)
  const { queue, name } = await openNamedQueue(address)
  const executor = new QueueExecutor(queue, system.clock, {
    name,
    user: system.host.user,
    priority: 0,
    labels: [],
  })
  const { cpus, memoryBytes, maxParallelJobs } = settings.capacity
  const node = {
    machine: { host: 'queue', cores: 1, memoryBytes: null },
    cpus: cpus ?? Infinity,
    memoryBytes: memoryBytes ?? Infinity,
    gpus: 'given there' as const,
    jobs: Infinity,
  }
  return {
    name: 'queue',
    executor,
    capacity: { nodes: [node], maxParallelJobs: maxParallelJobs ?? mostQueued },
    holds: (handle) => 'queue' in handle && handle.queue.id === name.id,
    notes: new LedgerHandles(ledger, system.clock, trouble),
    use: () => {},
    scheduleNodes: () => {},
    tidy: () => {},
  }
}
