import { reportData } from '../../render/page/report-data.ts'
import { reportPage } from '../../render/page/report-page.ts'
import type { ReportSource } from '../../render/page/report-source.ts'
import type { System } from '../../system/system.ts'
import { UserError } from '../../service/user-error.ts'
import { pageScript } from './page-script.ts'

/** Writes a report's page, for its owner alone or for whoever the umask lets read; answers its size in bytes. */
export function saveReport(
  system: System,
  source: ReportSource,
  path: string,
  kind: 'own' | 'page' = 'page',
): number {
  const script = pageScript(system, 'report')
  const page = new TextEncoder().encode(reportPage(reportData(source), script))
  const saved = system.files.save(path, [page], kind)
  if (saved.kind !== 'ok')
    throw new UserError(
      `the report was not written: ${saved.kind === 'failed' ? saved.error : saved.why}. Name another file with -o`,
    )
  return page.length
}
