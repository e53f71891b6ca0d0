/**
 * Plans 100 stages of 1,000 jobs, each stage waiting for all of the one before it: 99 million
 * dependencies. Prints the time and the memory of reading, expanding and planning.
 */
import { planWorkflow } from '../src/workflow/plan/plan-workflow.ts'
import { readSpec } from '../src/workflow/spec/read-spec.ts'

const [stages, jobsPerStage] = [100, 1000]
const limitSeconds = 5
const limitBytes = 500 * 1024 ** 2

function spec(): string {
  const jobs = Array.from({ length: stages }, (_, stage) => {
    const waits = stage === 0 ? '' : `\n    depends_on_regexes: ["^s${label(stage - 1)}_"]`
    return `  - name: s${label(stage)}_{i:04d}
    command: work --stage ${stage} --part {i}
    parameters: { i: "0:${jobsPerStage - 1}" }
    resource_requirements: small${waits}`
  })
  return `name: barriers
resource_requirements:
  - { name: small, num_cpus: 1, memory: 1g, runtime: PT1M }
jobs:
${jobs.join('\n')}
`
}

const label = (stage: number): string => String(stage).padStart(2, '0')

const started = performance.now()
const read = readSpec(spec(), 'barriers.yaml')
if (read.kind === 'invalid') throw new Error(read.errors[0]?.message)
const readAt = performance.now()
const plan = planWorkflow(read.workflow)
const ended = performance.now()

const seconds = (ended - started) / 1000
const peakBytes = process.resourceUsage().maxRSS * 1024
console.log(`jobs          ${plan.totals.jobs}`)
console.log(`dependencies  ${plan.totals.dependencies}`)
console.log(`stages        ${plan.totals.stages}`)
console.log(`read, expand  ${((readAt - started) / 1000).toFixed(2)} s`)
console.log(`plan          ${((ended - readAt) / 1000).toFixed(2)} s`)
console.log(`in all        ${seconds.toFixed(2)} s (limit ${limitSeconds} s)`)
console.log(`peak memory   ${(peakBytes / 1024 ** 2).toFixed(0)} MB (limit 500 MB)`)
if (seconds > limitSeconds || peakBytes > limitBytes) process.exitCode = 1
