import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labelledCommand, parseContainerCommand } from './run-command.ts'

const labelled = (command: readonly string[], limit: number | null = null) => {
  const parsed = parseContainerCommand(command)
  return parsed && labelledCommand(parsed, 'abc', limit).join(' ')
}

describe('a command that runs a container', () => {
  it('gets a label by which the container is found', () => {
    expect(labelled(['docker', 'run', '--rm', 'image', 'run'])).toBe(
      'docker run --label jobmeter.task=abc --rm image run',
    )
    expect(labelled(['/usr/bin/podman', 'container', 'run', 'image'])).toBe(
      '/usr/bin/podman container run --label jobmeter.task=abc image',
    )
    expect(labelled(['docker', '--config', 'run', '-D', '--log-level=info', 'run', 'x'])).toBe(
      'docker --config run -D --log-level=info run --label jobmeter.task=abc x',
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

  it('leaves other commands alone', () => {
    for (const command of [
      ['docker', 'ps'],
      ['docker', 'exec', 'name', 'run'],
      ['docker', '--context', 'run'],
      ['dockerd', 'run'],
      ['sh', '-c', 'docker run x'],
      ['docker'],
      [],
    ])
      expect(parseContainerCommand(command)).toBeUndefined()
  })

  it('loses no word and adds two', () => {
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
        after.splice(added - 1, 2)
        expect(after).toEqual(command)
      }),
    )
  })
})
