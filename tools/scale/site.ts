/** A site: how much there is of everything. */
export interface Site {
  readonly nodes: number
  readonly jobsPerDay: number
  readonly jobSeconds: number
  readonly samplesPerJob: number
}

/** How nodes send. `watch`: `jobmeter sync --watch`, or the agent; `timer`: `jobmeter sync` from a timer. */
export type Sending =
  | { readonly kind: 'watch' }
  | { readonly kind: 'timer'; readonly everySeconds: number }

/** PostgreSQL: how many servers share the nodes, and what each has. */
export interface Server {
  readonly servers: number
  readonly cores: number
  readonly connections: number
}

export const daySeconds = 86_400

/** Jobs of one node that start within a second, on average. */
export const jobRate = ({ nodes, jobsPerDay }: Site): number => jobsPerDay / nodes / daySeconds

/** How many jobs of a node run at a time, on average. */
export const running = (site: Site): number => jobRate(site) * site.jobSeconds
