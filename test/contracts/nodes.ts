import type { NodeCapacity } from '../../src/workflow/run/capacity.ts'

/** A node that jobs may use, plain but for what a test names. */
export function someNode(host: string, differences: Partial<NodeCapacity> = {}): NodeCapacity {
  const machine = { host, cores: 8, memoryBytes: 2 ** 33 }
  return { machine, cpus: 1, memoryBytes: 0, gpus: [], jobs: Infinity, ...differences }
}
