import { join } from 'node:path'
import { build } from 'rolldown'
import { bundleOptions } from './bundle-options.ts'
import { keepCode } from './keep-code.ts'
import { bundlePageScripts } from './page-scripts.ts'
import { buildWeb } from './web.ts'

const root = join(import.meta.dirname, '..')
await build(bundleOptions)
await bundlePageScripts(root)
await buildWeb(root)
keepCode(root)
