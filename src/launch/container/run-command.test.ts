import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labelledCommand, parseContainerCommand, taskLabel } from './run-command.ts'

const labelled = (command: readonly string[], limit: number | null = null) => {
  const parsed = parseContainerCommand(command)
  return parsed && labelledCommand(parsed, 'abc', limit).join(' ')
}

describe('a command that runs a container', () => {
  it('gets a label by which the container is found', () => {
    expect(labelled(['docker', 'run', '--rm', 'image', 'run'])).toBe(
      'docker run --label jobmeter.task=abc --label jobmeter.task.abc=measured --rm image run',
    )
    expect(labelled(['/usr/bin/podman', 'container', 'run', 'image'])).toBe(
      '/usr/bin/podman container run --label jobmeter.task=abc --label jobmeter.task.abc=measured image',
    )
    expect(labelled(['docker', '--config', 'run', '-D', '--log-level=info', 'run', 'x'])).toBe(
      'docker --config run -D --log-level=info run --label jobmeter.task=abc --label jobmeter.task.abc=measured x',
    )
  })

  it('gets a limit of memory, before one that was given: the client takes the last one', () => {
    expect(labelled(['docker', 'run', 'image'], 1024)).toContain('--memory 1024 image')
    expect(labelled(['docker', 'run', '-m', '1g', 'image'], 1024)).toContain('--memory 1024 -m 1g')
    // A word for the program inside is not one for the client.
    const inside = ['docker', 'run', 'image', 'python', '-m', 'train']
    expect(labelled(inside, 1024)).toContain('--memory 1024 image python -m train')
  })

  it('tells which daemon is asked', () => {
    const { host, context } =
      parseContainerCommand(['docker', '-H', 'tcp://x', '--context=far', 'run', 'i']) ?? {}
    expect({ host, context }).toEqual({ host: 'tcp://x', context: 'far' })
  })

  it.each([
    ['-Hunix:///d.sock', 'unix:///d.sock', null],
    ['-H=unix:///d.sock', 'unix:///d.sock', null],
    ['-H unix:///d.sock', 'unix:///d.sock', null],
    ['--host=unix:///d.sock', 'unix:///d.sock', null],
    ['-DHunix:///d.sock --tls', 'unix:///d.sock', null],
    ['-D=true -lH -H tcp://x', 'tcp://x', null],
    ['-cfar', null, 'far'],
    ['-c=far --debug=false', null, 'far'],
    ['-c far -ldebug', null, 'far'],
    ['--context=far', null, 'far'],
    ['--context far --log-level info', null, 'far'],
    ['--url=unix:///p.sock --connection there', 'unix:///p.sock', 'there'],
  ])('knows the daemon by %s', (options, host, context) => {
    const words = ['docker', ...options.split(' '), 'run', '-H', 'x', 'image']
    expect(parseContainerCommand(words)).toMatchObject({
      host,
      context,
      after: ['-H', 'x', 'image'],
    })
  })

  it('reads the options of the client in every way that the client does', () => {
    const value = fc.stringMatching(/^[a-z/:.=-]{1,12}$/).filter((text) => !text.startsWith('='))
    const flags = fc.constantFrom(['-D'], ['--debug'], ['--tls=true'], ['-Dv'], ['--tlsverify'])
    const valued = fc
      .tuple(fc.constantFrom('H', 'c', 'l', 'host', 'context', 'config'), value, fc.nat(2))
      .map(([name, given, way]) => {
        const isShort = name.length === 1
        const option = isShort ? `-${name}` : `--${name}`
        const words =
          way === 0
            ? [option, given]
            : way === 1 || !isShort
              ? [`${option}=${given}`]
              : [`${option}${given}`]
        return { words, name: name.charAt(0) === 'h' ? 'H' : name, given }
      })
    const option = fc.oneof(
      flags.map((words) => ({ words, name: '', given: '' })),
      valued,
    )
    fc.assert(
      fc.property(fc.array(option), fc.array(fc.string()), (options, after) => {
        const last = (...names: readonly string[]) =>
          options.findLast(({ name }) => names.includes(name))?.given ?? null
        const before = ['docker', ...options.flatMap(({ words }) => words), 'run']
        expect(parseContainerCommand([...before, ...after])).toEqual({
          engine: 'docker',
          host: last('H'),
          context: last('c', 'context'),
          config: last('config'),
          before,
          after,
        })
      }),
    )
  })

  it('is found by a label that none of its own words can take the place of', () => {
    const own = ['docker', 'run', '--label', 'jobmeter.task=other', '-l', 'jobmeter.task=more', 'i']
    const parsed = parseContainerCommand(own)
    const words = parsed === undefined ? [] : labelledCommand(parsed, 'abc', null)
    const keys = words
      .filter((_, at) => ['--label', '-l'].includes(words[at - 1] ?? ''))
      .map((label) => label.split('=')[0])
    expect(keys.filter((key) => key === taskLabel('abc').split('=')[0])).toHaveLength(1)
  })

  it('leaves other commands alone', () => {
    for (const command of [
      ['docker', 'ps'],
      ['docker', 'exec', 'name', 'run'],
      ['docker', '--context', 'run'],
      ['docker', '-H', 'run'],
      ['docker', '--', 'run'],
      ['docker', '-', 'run'],
      ['dockerd', 'run'],
      ['sh', '-c', 'docker run x'],
      ['docker'],
      [],
    ])
      expect(parseContainerCommand(command)).toBeUndefined()
  })

  it('loses no word and adds two labels', () => {
    const word = fc.oneof(
      fc.constantFrom('run', '-H', '--host=unix:///x', '-it', '--rm', 'container'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const command = ['docker', ...words]
        const parsed = parseContainerCommand(command)
        if (parsed === undefined) return
        const after = [...labelledCommand(parsed, 'abc', null)]
        const [added] = [after.indexOf('jobmeter.task=abc')]
        after.splice(added - 1, 4)
        expect(after).toEqual(command)
      }),
    )
  })
})
