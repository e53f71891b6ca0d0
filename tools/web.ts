import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { declared, palette, type ColourName } from '../src/render/palette.ts'
import { heatMapStyle } from '../src/render/node/heat-style.ts'
import { partsStyle } from '../src/render/page/parts-style.ts'

/** Colours and parts are code that every page shares, so the dashboard is given their style sheets when it is built. */
const styles: Readonly<Record<string, () => string>> = {
  'virtual:colours.css': colours,
  'virtual:parts.css': () => partsStyle,
  'virtual:heat.css': () => heatMapStyle,
}

function colours(): string {
  const names = Object.keys(palette) as ColourName[]
  const [light, dark] = [declared(names, 'light'), declared(names, 'dark')]
  return `:root { color-scheme: light; ${light} }
:root[data-theme=dark] { color-scheme: dark; ${dark} }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { color-scheme: dark; ${dark} } }
@media print { :root, :root[data-theme=dark], :root:not([data-theme=light]) { color-scheme: light; ${light} } }
`
}

/** Makes the dashboard, dist/web, of web/: what a browser is sent, and a list of it. */
export async function buildWeb(root: string): Promise<void> {
  const outDir = join(root, 'dist/web')
  await build({
    root: join(root, 'web'),
    configFile: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [
      {
        name: 'styles',
        resolveId: (id) => (Object.hasOwn(styles, id) ? `\0${id}` : undefined),
        load: (id) => styles[id.slice(1)]?.(),
      },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // The policy of the server allows no data in place of files.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
  const files = globSync('**/*.*', { cwd: outDir }).toSorted()
  writeFileSync(join(outDir, 'files.json'), JSON.stringify(files))
}
