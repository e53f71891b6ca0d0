import { count } from '../../model/count.ts'
import type { AbsentInput } from '../../model/run-notice.ts'
import { printable } from '../text/printable.ts'

const mostFiles = 10
const mostReaders = 3

/** `1 declared input file is missing, and none of the jobs left to run writes it: data.csv (train, plot)` */
export function absentInputsText(absent: readonly AbsentInput[]): string {
  const one = absent.length === 1
  const said = `${count(absent.length, 'declared input file')} ${one ? 'is' : 'are'} missing, and none of the jobs left to run writes ${one ? 'it' : 'them'}`
  const named = absent.slice(0, mostFiles).map(({ path, jobs }) => {
    const readers = jobs.slice(0, mostReaders).map(printable).join(', ')
    const more = jobs.length > mostReaders ? ' …' : ''
    return `${printable(path)} (${readers}${more})`
  })
  return `${said}: ${named.join(', ')}${absent.length > mostFiles ? ', …' : ''}`
}
