import { expect, it } from 'vitest'
import { sampleNames } from '../../model/sample.ts'
import { columnsAmong, isDeviceKind } from './columns.ts'

it('are named plainly, ours too', () => {
  // What is asked of kinds of devices is asked of every column that is not ours.
  expect(sampleNames.filter((name) => !isDeviceKind(name))).toEqual([])
  expect(columnsAmong([...sampleNames, 'made_up_2', 'Capital', '2nd', 'a b', ''])).toEqual([
    ...sampleNames,
    'made_up_2',
  ])
})

it('are never called what tables of samples call other things by', () => {
  const others = ['id', 'attempt_id', 'job_id', 'attempt', 'kind', 'device', 'cpu_percent', 'rowid']
  expect(columnsAmong(others)).toEqual([])
})
