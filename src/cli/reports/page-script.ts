import { whyNot } from '../../model/reading.ts'
import type { PackageFile, System } from '../../system/system.ts'
import { UserError } from '../../service/user-error.ts'

/** What draws a page in the browser: made of src/browser when jobmeter is built, and read when a page is written. */
export function pageScript(system: System, page: 'report' | 'plot' | 'heat'): string {
  const found = system.files.readPackage(`#browser/${page}.js`)
  if (found.kind !== 'ok')
    throw new UserError(
      `the script that draws the page is missing (${whyNot(found)}). Reinstall jobmeter; in a checkout, run npm run build`,
    )
  return new TextDecoder().decode(found.value.bytes)
}

/** Plotly, which draws the plots of a page. */
export function readPlotly(system: System): PackageFile {
  const plotly = system.files.readPackage('plotly.js-basic-dist-min')
  if (plotly.kind === 'ok') return plotly.value
  throw new UserError(
    `Plotly is missing from this installation (${whyNot(plotly)}). Reinstall jobmeter`,
  )
}
