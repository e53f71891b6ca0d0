import { describe, expect, it } from 'vitest'
import { containerHint, prefixLength } from './command-prefix.ts'
import { labelledCommand, parseContainerCommand } from './run-command.ts'

const run = 'docker run --rm image env A=b docker run x'

describe('programs that run another one', () => {
  it('are not taken for what every object of JavaScript has', () => {
    expect(prefixLength(['nice', './constructor', '-x'])).toBe(1)
    expect(prefixLength(['toString'])).toBe(0)
  })

  it.each([
    'nice',
    'nice -n 5',
    'nice -n5',
    'nice -10',
    'nice --adjustment=3',
    'env',
    'env A=b C=d=e',
    'env -C /tmp -- A=b',
    'env --chdir=/tmp A=',
    'timeout 5m',
    'timeout -k 5 -s KILL 10',
    'timeout -vk5 --signal=TERM --foreground 10',
    'nohup',
    'nohup --',
    'setsid -w',
    'setsid --ctty --wait',
    'stdbuf -oL -e 0',
    'stdbuf --output=L',
    'ionice -c 3',
    'ionice -c2 -n 0 -t',
    'chrt -r 10',
    'chrt --fifo --reset-on-fork 10',
    'taskset 0x3',
    'taskset -c 0,2-3',
    '/usr/bin/nice -n 1 /usr/bin/env A=b timeout 1h taskset -ac 0',
  ])('are passed over: %s', (prefix) => {
    const words = prefix.split(' ')
    const parsed = parseContainerCommand([...words, ...run.split(' ')])
    expect(parsed && labelledCommand(parsed, 'abc', null).join(' ')).toBe(
      `${prefix} docker run --label jobmeter.task=abc --label jobmeter.task.abc=measured --rm image env A=b docker run x`,
    )
  })

  it.each([
    'nice --adj=3',
    'env -i',
    'env -',
    'env -S',
    'env -u DOCKER_HOST',
    'env DOCKER_HOST=tcp://far',
    'env DOCKER_CONFIG=/etc/dockers',
    'env CONTAINER_CONNECTION=far',
    'env HOME=/tmp',
    'env --unset=X',
    'timeout --unknown 5m',
    'ionice -p 7',
    'chrt -m',
    'taskset -p 1',
    'sudo',
    'time',
    'exec',
    'echo',
  ])('are not guessed at: %s', (prefix) => {
    expect(parseContainerCommand([...prefix.split(' '), ...run.split(' ')])).toBeUndefined()
  })

  it('need a command to run', () => {
    for (const words of [['nice'], ['timeout', '5'], ['timeout'], ['env', 'A=b'], ['nice', '-n']])
      expect(prefixLength(words)).toBeUndefined()
    expect(prefixLength(['docker', 'run'])).toBe(0)
    expect(prefixLength([])).toBe(0)
  })
})

describe('a container that another command starts', () => {
  it.each([
    [['sudo', 'docker', 'run', 'image']],
    [['time', 'podman', 'container', 'run', 'image']],
    [['sh', '-c', 'cd /tmp && docker run --rm image']],
    [['bash', '-euc', 'podman run image; true']],
    [['env', '-i', '/usr/bin/docker', 'run', 'image']],
  ])('is hinted at: %j', (command) => {
    expect(containerHint(command)).toContain('--in-container-of NAME')
  })

  it('is not claimed as a fact: the words may be a message', () => {
    expect(containerHint(['git', 'commit', '-m', 'use docker run now'])).toBe(
      'the command seems to start a container with "docker run". Such a container is not measured: start "docker run" itself, or give the container a name and add --in-container-of NAME',
    )
  })

  it.each([
    [['sh', 'docker-build.sh']],
    [['sh', '-c', 'echo hello']],
    [['docker', 'ps']],
    [['sh', '-c', 'docker ps']],
    [['python3', 'mydocker', 'run', 'x']],
    [['ls', 'docker']],
  ])('is not seen in %j', (command) => {
    expect(containerHint(command)).toBeUndefined()
  })
})
