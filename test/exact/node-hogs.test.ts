import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { describe, expect, it } from 'vitest'
import { knownUser, type KnownUser } from '../node/known-user.ts'
import { limitedCgroup } from '../node/limited-cgroup.ts'
import { card, processOn, setState, standIn, standInMissing } from '../nvml/stand-in.ts'
import { sandbox, workload, workloadsMissing, type Running, type Sandbox } from '../program.ts'
import { asRootOnly } from '../root-only.ts'

interface Hogs {
  readonly violations: readonly { readonly policy: string; readonly user: string }[]
  readonly suppressed: readonly {
    readonly policy: string
    readonly user: string
    readonly suppressed_because: string
  }[]
}

interface Usage {
  readonly rows: readonly { readonly user: string; readonly core_seconds: number }[]
}

const gibibyte = 2 ** 30
const cores = availableParallelism()
/** Far more than one process at a time can use: what starts children one after another is no hog. */
const hogCores = Math.min(1.3, 0.65 * cores)

const policies = (spare: string, leastHogCores: number): string => `
shipped: false
alerts: alerts.yaml
exempt: {users: [root]}
policies:
  - name: cpuhog
    when: {cpu_peak_of_node: {at_least: ${leastHogCores / cores}}, runtime_seconds: {at_least: 1}}
    unless_idle: {resource: cores, ${spare}}
  - {name: zero-gpu, for: 2s, unless_idle: {resource: gpus, of_rest: 0.5, of_node: 0.25}}
  - name: greedy
    for: 2s
    when: {runtime_seconds: {at_least: 1}}
    unless_idle: {resource: all, ${spare}}
  - name: vampire
    for: 2s
    when: {short_processes_per_minute: {at_least: 600}, short_cpu_of_node: {at_least: 1%}}
    unless_idle: {resource: cores, ${spare}}
  # Jobs that are small and short are judged with their user.
  - {name: deadweight, scope: user, for: 2s, unless_idle: {resource: cores, ${spare}}}
`

const names = ['hog', 'holder', 'trainer', 'greedy', 'vampire', 'zombie'] as const
/** Where each session gets an equal part, being nice counts within the session alone. */
const ahead = [
  'nice',
  '-n',
  '-19',
  'sh',
  '-c',
  '[ -e /proc/self/autogroup ] && echo -19 > /proc/self/autogroup; exec "$@"',
  'sh',
]

/** `sleep` never waits for the child that the shell left it. */
const leaveZombie = 'true & exec sleep 300'

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

const isOver = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || isOver(child)) return
  const over = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await over
}

/** Several users on one node, and an agent that looks at it every second. */
class Scene implements AsyncDisposable {
  readonly #stack = new DisposableStack()
  readonly #children: ChildProcess[] = []
  #agent: Running | undefined
  readonly box: Sandbox
  readonly users: Readonly<Record<(typeof names)[number], KnownUser>>

  constructor() {
    this.box = this.#stack.use(sandbox())
    const made = names.map((name, at) => {
      const user = this.#stack.use(knownUser(`jmt-${name}`, 64_751 + at))
      return [name, user] as const
    })
    this.users = Object.fromEntries(made) as unknown as Scene['users']
  }

  startAgent(spare: string, within: readonly string[] = []): Running {
    const { box } = this
    writeFileSync(box.path('alerts.yaml'), 'channels:\n  - {name: screen, type: console}\n')
    const leastHogCores = within.length === 0 ? hogCores : 0.2
    writeFileSync(box.path('policies.yaml'), policies(spare, leastHogCores))
    const files = ['--policies', box.path('policies.yaml'), '--db', box.path('node.db')]
    this.#agent = box.start(['agent', '--verbose', '--interval', '1s', ...files], {
      env: { JOBMETER_NVML: standIn, JOBMETER_NVML_STATE: box.path('gpus') },
      within: [...within, ...ahead],
    })
    return this.#agent
  }

  /** In a session of its own, as after a login, and ahead of whatever else this machine does. */
  start(command: readonly string[]): ChildProcess {
    const [program = '', ...words] = [...ahead, ...command]
    const child = spawn(program, words, { stdio: 'ignore', detached: true })
    this.#children.push(child)
    return child
  }

  /** Who only waits: whoever holds a GPU, who has reserved memory, and who left a dead child behind. */
  startWaiting(reservedBytes: number): { readonly holder: number; readonly trainer: number } {
    const { users } = this
    const sleep = ['sleep', '300']
    const reserved = this.#stack.use(limitedCgroup(7, reservedBytes))
    const enter = ['sh', '-c', `echo $$ > ${reserved.procs}; exec "$@"`, 'sh']
    this.start([...enter, ...users.greedy.group.within(sleep)])
    this.start(users.zombie.group.within(['sh', '-c', leaveZombie]))
    return {
      holder: this.start(users.holder.group.within(sleep)).pid ?? 0,
      trainer: this.start(users.trainer.group.within(sleep)).pid ?? 0,
    }
  }

  /**
   * What runs a program where nothing else runs but a hog of a tenth of the node, who leaves a zombie, and who holds one of
   * eight GPUs: with processes of its own, and counters of the node that stand still, whatever else this machine does.
   */
  aloneOnNode(): string[] {
    const { box, users } = this
    const user = (name: (typeof names)[number], command: string): string => {
      const words = [...ahead, ...users[name].group.within(['sh', '-c', command])]
      return `setsid ${words.map(quoted).join(' ')} &`
    }
    writeFileSync(box.path('stat'), readFileSync('/proc/stat'))
    const cards = Array.from({ length: 8 }, (_, at) => card(at))
    const held = processOn(0, { pid: 'HELD', memory: gibibyte, sm: 0 })
    writeFileSync(box.path('cards'), `${[...cards, held].join('\n')}\n`)
    const script = [
      `mount --bind ${box.path('stat')} /proc/stat`,
      user('holder', 'exec sleep 300'),
      `sed s/HELD/$!/ ${box.path('cards')} > ${box.path('gpus')}`,
      user('hog', `${workload('burn')} 60000 -`),
      user('zombie', leaveZombie),
      'exec "$@"',
    ]
    const alone = ['unshare', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child']
    return [...alone, 'sh', '-c', script.join('\n'), 'sh']
  }

  async endLoad(): Promise<void> {
    for (const child of this.#children) await end(child)
  }

  async asked<T>(args: readonly string[]): Promise<T> {
    const { stdout } = await this.box.jobmeter([
      ...args,
      '--format',
      'json',
      '--db',
      this.box.path('node.db'),
    ])
    return JSON.parse(stdout) as T
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent?.signal('SIGKILL')
    await this.#agent?.ended
    await this.endLoad()
    this.#stack.dispose()
  }
}

describe.skipIf(asRootOnly.isSkipped || workloadsMissing || standInMissing)(
  `policies on a node with a known load${asRootOnly.why}`,
  () => {
    it(
      'name each by its own, and nobody else; totals are what the kernel has',
      { timeout: 120_000 },
      async () => {
        await using scene = new Scene()
        const { box, users } = scene
        setState(box.path('gpus'), [card(0), card(1)])
        const agent = scene.startAgent('of_rest: 0.5, of_node: 0.25')
        await agent.saw('looking every')
        const { holder, trainer } = scene.startWaiting(totalmem() / 2)
        // Two cards, both held: one is busy, and one does nothing.
        setState(box.path('gpus'), [
          card(0, { util: 0 }),
          card(1, { util: 95 }),
          processOn(0, { pid: holder, memory: gibibyte, sm: 0 }),
          processOn(1, { pid: trainer, memory: 100 * gibibyte, sm: 95 }),
        ])
        // Enough of them to get most of the node, whoever else uses it.
        const burns = Array.from({ length: 10 * cores }, () => `${workload('burn')} 60000 - &`)
        const hog = scene.start(users.hog.group.within(['sh', '-c', `${burns.join(' ')} wait`]))
        await agent.saw('] cpuhog: ')
        // From here on the node is just full, with jobs of one core each.
        for (let core = 0; core < cores; core++)
          scene.start(users.trainer.group.within([workload('burn'), '60000', '-']))
        // The shell is killed with its children, and waits for none of them.
        await end(hog)
        const many = [workload('children'), '2000', '2', '1', '-']
        const vampire = scene.start(users.vampire.group.within(many))
        await Promise.all([
          once(vampire, 'exit'),
          ...['zero-gpu', 'greedy', 'vampire', 'deadweight'].map((policy) =>
            agent.saw(`] ${policy}: `),
          ),
        ])
        await scene.endLoad()
        agent.signal('SIGTERM')
        await agent.ended
        const { violations } = await scene.asked<Hogs>(['hogs'])
        const named = violations.map(({ policy, user }) => `${policy} ${user}`).toSorted()
        expect(named).toEqual([
          'cpuhog jmt-hog',
          'deadweight jmt-zombie',
          'greedy jmt-greedy',
          'vampire jmt-vampire',
          'zero-gpu jmt-holder',
        ])
        const { rows } = await scene.asked<Usage>(['usage', '--by', 'user'])
        const totals = names.map((name) => ({
          name,
          told: rows.find(({ user }) => user === `jmt-${name}`)?.core_seconds ?? 0,
          truth: users[name].group.cpuSeconds(),
        }))
        process.stderr.write(
          `${totals.map(({ name, told, truth }) => `${name} ${told.toFixed(3)}/${truth.toFixed(3)} s`).join(', ')}\n`,
        )
        // Two ticks of the kernel, of those who only wait.
        for (const { told, truth } of totals)
          expect(Math.abs(told - truth)).toBeLessThan(Math.max(0.02 * truth, 0.02))
      },
    )

    it('name nobody while the node is idle, and say so', async () => {
      await using scene = new Scene()
      const agent = scene.startAgent('of_rest: 0.25, of_node: 0.25', scene.aloneOnNode())
      await agent.saw('round 6:')
      // All that runs there ends with it.
      agent.signal('SIGKILL')
      await agent.ended
      const { violations, suppressed } = await scene.asked<Hogs>(['hogs', '--all'])
      expect(violations).toEqual([])
      expect(suppressed.map(({ policy, user }) => `${policy} ${user}`).toSorted()).toEqual([
        'cpuhog jmt-hog',
        'deadweight jmt-zombie',
        'zero-gpu jmt-holder',
      ])
      const ofHolder = suppressed.find(({ policy }) => policy === 'zero-gpu')
      expect(ofHolder?.suppressed_because).toBe('7 of 8 GPUs were free')
    })
  },
)
