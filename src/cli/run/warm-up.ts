/**
 * A move that bin/jobmeter.cjs has begun, so that the kernel is ready for those that come after it. Settled when it is
 * over, which it must be before a job is moved into a cgroup.
 */
export type WarmUp = Promise<void>
