import { expect, it } from 'vitest'
import { LedgerFolder } from '../../../test/ledger-folder.ts'
import { execute } from './report.ts'

const folder = new LedgerFolder()

it('says of a number that is neither that it could have been a workflow too', async () => {
  await expect(folder.ask(execute, ['99'])).rejects.toThrow(
    'there is no workflow 99 (see jobmeter workflows list), and no job has the name or job id "99"',
  )
  await expect(folder.ask(execute, ['train'])).rejects.toThrow(/^no job has the name/)
})
