import { createMiddleware } from 'hono/factory'
import { Problem } from './problem.ts'
import type { WebFiles } from './web-files.ts'

/** In seconds. */
const forEver = 365 * 86_400

/** Where every file is named after what it holds: one that is not there is no page. */
const ownFolder = 'assets/'

/** The dashboard: its files by name, and its page for every other path, which it understands itself. */
export const webPage = (files: WebFiles) =>
  createMiddleware(async ({ req }) => {
    const name = req.path.slice(1)
    if (name.startsWith('api/')) throw new Problem(404, 'There is nothing at this address.')
    // A host has dots in its name, and so may the page of one.
    const isPage = !name.startsWith(ownFolder)
    const file = files(name) ?? (isPage ? files('index.html') : undefined)
    if (file === undefined)
      throw new Problem(
        404,
        isPage
          ? 'The dashboard is missing from this installation. In a checkout, run npm run build.'
          : 'There is nothing at this address.',
      )
    return new Response(file.bytes, {
      headers: {
        'content-type': file.type,
        'cache-control': file.isFixed ? `public, max-age=${forEver}, immutable` : 'no-cache',
      },
    })
  })
