import { join } from 'node:path'
import { build } from 'rolldown'
import { bundleOptions } from './bundle-options.ts'
import { keepCode } from './keep-code.ts'

await build(bundleOptions)
keepCode(join(import.meta.dirname, '..'))
