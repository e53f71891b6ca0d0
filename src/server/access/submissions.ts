import { Problem } from '../problem.ts'
import type { Served } from '../served.ts'

/** What is started here runs with the rights of whoever runs the server: nobody may have that done unless it is said. */
export function refuseSubmissions({ actions }: Pick<Served, 'actions'>): void {
  if (!actions.submit)
    throw new Problem(
      403,
      'This server starts nothing. Whoever runs it can allow that: `submit: true` under `actions` in its configuration.',
    )
}
