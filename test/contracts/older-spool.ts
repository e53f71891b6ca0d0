import { checksum } from '../../src/store/spool/checksum.ts'

/** A line of the spool, of its JSON without the last bracket. */
export const sealed = (body: string): string => `${body},"sum":"${checksum(body)}"}\n`

/** Text of a file of the spool as version 1 wrote it: columns were counted, lines had no sum, and devices did not exist. */
export const asSpool1 = (text: string): string => ofVersion(1, text)

/** The same as version 2 wrote it, with sums. */
export const asSpool2 = (text: string): string =>
  ofVersion(2, text)
    .split('\n')
    .map((line) => (line === '' ? '' : sealed(line.slice(0, -1))))
    .join('')

const ofVersion = (version: number, text: string): string =>
  text
    .replace(/^\{"spool":3/, `{"spool":${version}`)
    .replace(
      /"columns":\[([^\]]*)\]/,
      (_, names: string) => `"sampleWidth":${names.split(',').length}`,
    )
    .replace(/"deviceRowsBefore":0,/, '')
    .replaceAll(/,"sum":"\w+"\}\n/g, '}\n')
