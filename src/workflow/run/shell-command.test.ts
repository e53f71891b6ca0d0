import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandWords } from './shell-command.ts'

const bash = '/bin/bash'

function runBash(script: string): string {
  const { stdout, status } = spawnSync(bash, ['-c', script], { encoding: 'utf8', cwd: '/' })
  expect(status).toBe(0)
  return stdout
}

describe('a line of shell', () => {
  it.each([
    ['python3 train.py --rate 0.1', ['python3', 'train.py', '--rate', '0.1']],
    ['  spaced   out  ', ['spaced', 'out']],
    ['/bin/echo a:b,c@d+e-f_g', ['/bin/echo', 'a:b,c@d+e-f_g']],
  ])('without shell syntax is run as it is: %s', (line, words) => {
    expect(commandWords(line, bash)).toEqual(words)
  })

  it.each([
    'a | b',
    'a && b',
    'A=1 b',
    'echo "x"',
    'ls *.csv',
    'cd /tmp',
    'exit 3',
    'echo $HOME',
    'a\nb',
    'a\tb',
    '~/run.sh',
    'echo {1..3}',
    '# nothing',
    '',
    '   ',
  ])('is given to the shell otherwise: %j', (line) => {
    expect(commandWords(line, bash)).toEqual([bash, '-c', line])
  })

  it.each([
    [
      "docker run --rm -v /a:/b --env=A=b jt:1 sh -c 'echo $A >> /b/log; exit'",
      [
        'docker',
        'run',
        '--rm',
        '-v',
        '/a:/b',
        '--env=A=b',
        'jt:1',
        'sh',
        '-c',
        'echo $A >> /b/log; exit',
      ],
    ],
    [
      'nice podman run \\\n  --name "a b" x \'\'\n',
      ['nice', 'podman', 'run', '--name', 'a b', 'x', ''],
    ],
  ])('that runs a container may have quotes, and is run as it is: %j', (line, words) => {
    expect(commandWords(line, bash)).toEqual(words)
  })

  it.each([
    'docker run x; true',
    'A=b docker run x',
    'exec docker run "x"',
    'docker run -v $PWD:/x "x"',
    'docker run "$X"',
    'docker run "a',
    "docker run 'x' > log",
    'docker run "x"\ntrue',
    'docker run "a\\"',
  ])('that runs a container is given to the shell where it has more: %j', (line) => {
    expect(commandWords(line, bash)).toEqual([bash, '-c', line])
  })

  it('is given to the shell where its first word is the shell’s own', () => {
    // Of these four there is a program of the same name that does the same.
    const alike = new Set(['echo', 'printf', 'true', 'false'])
    const own = runBash('compgen -b; compgen -k').trim().split('\n')
    expect(own.length).toBeGreaterThan(60)
    const missed = own.filter((word) => !alike.has(word) && commandWords(word, bash)[0] !== bash)
    expect(missed).toEqual([])
  })

  it('splits as bash does where bash is not asked', () => {
    const characters = ' abzAZ09._/:@+,-=~*?$"\'\\#%é\u00a0'.split('')
    const text = fc.string({ unit: fc.constantFrom(...characters) })
    const quoted = fc.string({
      unit: fc.constantFrom(...' ab=%"\'\'""\\$~'.split('')),
      maxLength: 8,
    })
    const lines = [
      ...fc.sample(text, { numRuns: 4000, seed: 3 }),
      ...fc.sample(quoted, { numRuns: 2000, seed: 3 }).map((end) => `docker run ${end}`),
    ].filter((line) => line.trim() !== '' && commandWords(line, bash)[0] !== bash)
    expect(lines.length).toBeGreaterThan(300)
    const script = lines.map((line) => `printf '<%s>' ${line}; echo`).join('\n')
    const split = runBash(script).trimEnd().split('\n')
    const ours = lines.map((line) =>
      commandWords(line, bash)
        .map((word) => `<${word}>`)
        .join(''),
    )
    expect(ours).toEqual(split)
  })
})
