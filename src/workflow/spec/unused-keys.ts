import type { CheckedSpec } from './checked-spec.ts'

/** Keys of a file that are known and right, but change nothing where this runner runs it, each with the reason. */
export function unusedKeys({ actions }: CheckedSpec): readonly string[] {
  return actions.flatMap(({ path: [list, index], spec }) =>
    (['start_one_worker_per_node', 'max_parallel_jobs'] as const).flatMap((key) =>
      spec[key] === undefined ? [] : [`${list}[${index}].${key} (for clusters)`],
    ),
  )
}
