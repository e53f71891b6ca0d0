import { isUtf8 } from 'node:buffer'
import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sandbox, workload, workloadsMissing, type Ended, type Sandbox } from './program.ts'

/** For bash: text and bytes as they are. */
const quoted = (bytes: Buffer): string =>
  `$'${[...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`
const bytes = (latin1: string): Buffer => Buffer.from(latin1, 'latin1')

const printer = workload('print-bytes')

function printed(text: string): { arguments: Buffer[]; environment: Buffer[] } {
  const lines = text.split('\n').slice(0, -1)
  const middle = lines.indexOf('environment')
  const decoded = (part: readonly string[]) => part.map((line) => Buffer.from(line, 'hex'))
  return {
    arguments: decoded(lines.slice(0, middle)),
    environment: decoded(lines.slice(middle + 1)),
  }
}

/** How it ended, and what the job says it was given; its environment without what every job has, in order. */
function given({ code, stderr, stdout }: Ended) {
  const { arguments: words, environment } = printed(stdout)
  return {
    code,
    stderr,
    arguments: words,
    environment: environment
      .filter((entry) => !/^(JOBMETER|_=|HOME=)/.test(entry.toString('latin1')))
      .toSorted(Buffer.compare),
  }
}

interface Case {
  readonly words: readonly Buffer[]
  readonly variables: readonly (readonly [Buffer, Buffer])[]
}

const entries = ({ variables }: Case): Buffer[] =>
  variables.map(([name, value]) => Buffer.concat([name, bytes('='), value]))

function run(box: Sandbox, one: Case, ffi: boolean): Promise<Ended> {
  const environment = [
    ...(ffi ? [] : ['JOBMETER_NO_FFI=1']),
    `HOME=${box.directory}`,
    `JOBMETER_DB=${box.db}`,
    ...entries(one).map(quoted),
  ]
  const words = one.words.map(quoted).join(' ')
  return box.shell(`exec env -i ${environment.join(' ')} $JOBMETER run -q -- ${printer} ${words}`)
}

const wanted = (one: Case) => ({
  code: 0,
  stderr: '',
  arguments: one.words,
  environment: entries(one).toSorted(Buffer.compare),
})

type Bytes = (minLength: number) => fc.Arbitrary<Buffer>

const utf8: Bytes = (minLength) =>
  fc
    .string({ unit: 'binary', minLength, maxLength: 10 })
    .map((text) => Buffer.from(text.replaceAll('\0', 'x')))
const anyBytes: Bytes = (minLength) =>
  fc.oneof(
    fc
      .uint8Array({ min: 1, max: 255, minLength, maxLength: 30 })
      .map((array) => Buffer.from(array)),
    utf8(minLength),
  )
const caseOf = (some: Bytes): fc.Arbitrary<Case> =>
  fc.record({
    words: fc.array(some(0), { maxLength: 10 }),
    variables: fc.uniqueArray(
      fc.tuple(
        // Not a name of somebody else's; a name holds no "=".
        some(1).map((name) => bytes(`v_${name.toString('latin1').replaceAll('=', '_')}`)),
        some(0),
      ),
      { maxLength: 10, selector: ([name]) => name.toString('latin1') },
    ),
  })

describe.skipIf(workloadsMissing)('the bytes that a job is given', () => {
  it('are those of a plain start, in arguments and in the environment', async () => {
    using box = sandbox()
    await fc.assert(
      fc.asyncProperty(caseOf(anyBytes), async (one) => {
        expect(given(await run(box, one, true))).toEqual(wanted(one))
      }),
      { numRuns: 30, seed: 8 },
    )
  })

  it('are those without FFI too where they are UTF-8', async () => {
    using box = sandbox()
    await fc.assert(
      fc.asyncProperty(caseOf(utf8), async (one) => {
        expect(given(await run(box, one, false))).toEqual(wanted(one))
      }),
      { numRuns: 15, seed: 9 },
    )
  })

  it('are refused without FFI where they are not: the job would get others', async () => {
    using box = sandbox()
    const others = caseOf(anyBytes).filter((one) => ![...one.words, ...entries(one)].every(isUtf8))
    await fc.assert(
      fc.asyncProperty(others, async (one) => {
        const ended = await run(box, one, false)
        expect(ended).toMatchObject({ code: 126, stdout: '' })
        expect(ended.stderr).toMatch(/is not UTF-8.* FFI.*JOBMETER_NO_FFI is set/)
      }),
      { numRuns: 15, seed: 10 },
    )
  })

  it('open the file that was named, and the record holds its name in readable form', async () => {
    using box = sandbox()
    const ended = await box.shell(
      `echo hello > $'caf\\xe9.txt'; $JOBMETER run -q --name n -- cat -- $'caf\\xe9.txt'`,
      { cwd: box.directory },
    )
    expect(ended).toEqual({ code: 0, signal: null, stdout: 'hello\n', stderr: '' })
    const shown = await box.jobmeter(['show', 'last', '--format', 'json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({ command: ['cat', '--', 'caf\ufffd.txt'] })
  })

  it('are not guessed where /proc does not tell them any more', async () => {
    using box = sandbox()
    const ended = await box.shell(
      `\${JOBMETER/ / --title=another-command-line-than-it-was } run -q -- echo $'caf\\xe9'`,
    )
    expect(ended).toMatchObject({ code: 126, stdout: '' })
    expect(ended.stderr).toContain('words that are not UTF-8')
    expect(await box.history()).toEqual([])
  })

  it('survive variables that no shell makes: without a name, without "=", twice the same', async () => {
    using box = sandbox()
    const ended = await box.shell(
      `${workload('exec-odd')} JOBMETER_DB=${box.db} $JOBMETER run -q -- ${printer}`,
    )
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const seen = given(ended).environment.map((entry) => entry.toString('latin1'))
    expect(seen).toEqual(expect.arrayContaining(['D=1', '=empty', 'OK=caf\xe9']))
  })

  it('name a program and the folders of the path', async () => {
    using box = sandbox()
    const make = `mkdir $'b\\xedn'; printf '#!/bin/sh\\necho "with $1"' > $'b\\xedn/caf\\xe9'
      printf 'echo "plain $1"' > $'b\\xedn/pl\\xe1in'; echo > $'b\\xedn/n\\xf3'; chmod 755 b*/caf* b*/pl*
      export PATH="$PATH:$PWD/"$'b\\xedn';`
    const cases = [
      { word: "$'caf\\xe9' $'\\xff'", code: 0, stdout: bytes('with \xff\n') },
      { word: "$'pl\\xe1in' $'\\xff'", code: 0, stdout: bytes('plain \xff\n') },
      { word: "$'b\\xedn/caf\\xe9' 1", code: 0, stdout: bytes('with 1\n') },
      { word: "$'n\\xf3'", code: 126, stdout: bytes('') },
      { word: "$'nowh\\xe9re'", code: 127, stdout: bytes('') },
    ]
    await box.shell(make)
    const path = `PATH="$PATH:$PWD/"$'b\\xedn'`
    for (const { word, code, stdout } of cases) {
      const ended = await box.shell(`${path} $JOBMETER run -q -- ${word} > out`)
      expect({ word, code: ended.code }).toEqual({ word, code })
      expect(readFileSync(box.path('out'))).toEqual(stdout)
    }
    const refused = await box.shell(`${path} $JOBMETER run -q -- $'nowh\\xe9re'`)
    expect(refused.stderr).toContain('nowh\ufffdre: command not found')
  })

  it.each([true, false])('name the working directory, FFI: %s', async (ffi) => {
    using box = sandbox()
    const env: Record<string, string> = ffi ? {} : { JOBMETER_NO_FFI: '1' }
    // PWD would be a variable that cannot be passed on without FFI.
    const ended = await box.shell(
      `mkdir $'w\\xe9'; cd $'w\\xe9'; unset PWD OLDPWD; env -u PWD -u OLDPWD $JOBMETER run -q -- sh -c 'touch here'; ls`,
      { env },
    )
    expect(ended).toMatchObject({ code: 0, stdout: 'here\n', stderr: '' })
    const shown = await box.jobmeter(['show', 'last', '--format', 'json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({
      working_directory: `${box.directory}/w\ufffd`,
    })
  })

  it('reach the jobs of a workflow', async () => {
    using box = sandbox()
    writeFileSync(
      box.path('flow.yaml'),
      `name: flow\njobs:\n  - name: one\n    command: ${printer} > seen\n`,
    )
    const ended = await box.shell(`env $'V\\xe9=\\xff' W=$'\\xfe' $JOBMETER run flow.yaml -q`)
    expect(ended).toMatchObject({ code: 0 })
    const seen = printed(readFileSync(box.path('seen'), 'utf8')).environment
    expect(seen).toContainEqual(bytes('V\xe9=\xff'))
    expect(seen).toContainEqual(bytes('W=\xfe'))
  })

  it('are refused for a workflow in a folder whose name is not UTF-8', async () => {
    using box = sandbox()
    writeFileSync(box.path('flow.yaml'), `name: flow\njobs:\n  - name: one\n    command: 'true'\n`)
    const ended = await box.shell(
      `mkdir $'w\\xe9'; cd $'w\\xe9'; $JOBMETER run ../flow.yaml -q; code=$?; ls ..; exit $code`,
    )
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.stderr).toContain('the name of the working directory is not UTF-8')
  })
})
