import { whyNot } from '../../model/reading.ts'
import type { System } from '../../system/system.ts'
import { UserError } from '../../service/user-error.ts'

/** What draws a page in the browser: made of src/browser when jobmeter is built, and read when a page is written. */
export function pageScript(system: System, page: 'report' | 'plot'): string {
  const found = system.files.readPackage(`#browser/${page}.js`)
  if (found.kind !== 'ok')
    throw new UserError(
      `the script that draws the page is missing (${whyNot(found)}). Reinstall jobmeter; in a checkout, run npm run build`,
    )
  return new TextDecoder().decode(found.value.bytes)
}
