import type { WrittenPolicy } from './definition.ts'

const gb = 1e9
const withoutLogins = { kinds: ['session' as const], users: ['root'] }

const rest = (resource: 'cores' | 'memory' | 'gpus' | 'all') => ({ resource })

/**
 * The policies that are there without being written, as a user would write them. Thresholds are those that sites use
 * today (Jobanalyzer, job_defense_shield, ClusterCockpit, XDMoD), as the page on policies says; `gpuhog`, `whale`,
 * `greedy`, `mouse` and `vampire` are only names there, and are defined here.
 */
export const shippedPolicies: readonly WrittenPolicy[] = [
  {
    name: 'cpuhog',
    says: 'keeps cores of a GPU node busy without using its GPUs',
    explanation:
      'A node with GPUs is there for jobs that need GPUs. This job has used none of them since it began, has run for at least 10 minutes, and took at least 10 % of the cores at its busiest, which jobs that do need the GPUs then lack.',
    advice: 'Run it on a node without GPUs.',
    scope: 'job',
    when: {
      node_gpus: { at_least: 1 },
      gpu_seconds_used: { at_most: 0 },
      cpu_peak_of_node: { at_least: '10%' },
      runtime_seconds: { at_least: '10m' },
    },
    for: 0,
    unless_idle: rest('cores'),
  },
  {
    name: 'deadweight',
    says: 'leaves dead processes behind that nobody waits for',
    explanation:
      'A zombie is a process that has ended and whose parent has never asked how. Each keeps its number, and a machine has only so many of them. Zombies that stay for 10 minutes are a fault of the program that started them.',
    advice: 'End the parent process, or have it wait for its children.',
    scope: 'job',
    when: { zombies: { at_least: 1 } },
    for: '10m',
    unless_idle: rest('cores'),
  },
  {
    name: 'bad-gpu-job',
    says: 'hardly uses the GPUs that it holds',
    explanation:
      'The job has held GPUs for at least 2 hours and has never used a quarter of their time, nor a quarter of their memory. High memory with little use is a real need, and is not reported. Logins are left out.',
    advice: 'Ask for fewer GPUs, or find out what the job waits for: often its input.',
    scope: 'job',
    when: {
      gpus_held: { at_least: 1 },
      runtime_seconds: { at_least: '2h' },
      gpu_peak_of_held: { below: '25%' },
      gpu_memory_peak_of_held: { below: '25%' },
    },
    for: '10m',
    unless_idle: rest('gpus'),
    exempt: withoutLogins,
  },
  {
    name: 'oversized',
    says: 'asked for far more cores and memory than it uses',
    explanation:
      'The job asked for at least 32 cores and 20 GB, has run for at least 2 hours, and uses a quarter of each at most.',
    advice: 'Ask for what it uses and a margin: jobmeter reports shows how much that is.',
    scope: 'job',
    when: {
      runtime_seconds: { at_least: '2h' },
      asked_cpus: { at_least: 32 },
      asked_memory_bytes: { at_least: 20 * gb },
      cpu_of_request: { at_most: '25%' },
      memory_of_request: { at_most: '25%' },
    },
    for: '10m',
    unless_idle: rest('all'),
  },
  {
    name: 'heavy-user',
    says: 'used a large part of the GPUs of the last week',
    explanation:
      'Jobs of the user ran for at least 24 hours in the last 7 days and used at least 24 hours of GPUs. Nothing is wrong with that: such a user is better served by a larger system.',
    advice: 'Ask for time on a larger system.',
    severity: 'info',
    scope: 'history',
    over: '7d',
    when: { runtime_hours: { at_least: 24 }, gpu_hours: { at_least: 24 } },
    unless_idle: rest('gpus'),
  },
  {
    name: 'gpuhog',
    says: 'holds half of the GPUs or more and leaves them mostly idle',
    explanation:
      'All jobs of the user together hold at least half of the GPUs of the node, and at least two, but have kept them less than 25 % busy for half an hour. A user whose jobs fill at least half of the memory of the GPUs needs them, and is not told.',
    advice: 'Give back the GPUs that are not used.',
    scope: 'user',
    when: {
      gpus_held: { at_least: 2 },
      gpus_held_of_node: { at_least: '50%' },
      gpu_of_held: { below: '25%' },
      gpu_memory_of_held: { below: '50%' },
    },
    for: '30m',
    unless_idle: rest('gpus'),
  },
  {
    name: 'whale',
    says: 'takes most of the node alone',
    explanation:
      'All that the user does takes at least 75 % of the cores, the memory or the GPUs of the node, and has done so for 2 hours while others had to do with the rest.',
    advice: 'Run fewer jobs at a time, or move to a larger system.',
    scope: 'user',
    when: { largest_share: { at_least: '75%' } },
    for: '2h',
    unless_idle: rest('all'),
  },
  {
    name: 'greedy',
    says: 'reserves much of the node and uses little of it',
    explanation:
      'The job asked for a quarter of the node or more (of its cores, memory or GPUs), and for half an hour has not used a quarter of anything that it asked for. Others cannot have what is reserved, used or not.',
    advice: 'Ask for what it uses and a margin, or cancel it if it is stuck.',
    scope: 'job',
    when: {
      largest_request_of_node: { at_least: '25%' },
      largest_use_of_request: { below: '25%' },
      runtime_seconds: { at_least: '30m' },
    },
    for: '30m',
    unless_idle: rest('all'),
  },
  {
    name: 'mouse',
    says: 'is too small for so large a node',
    explanation:
      'The node has at least 32 cores, and the job has run on it for at least a day without ever taking 5 % of its cores, memory or GPUs, though it does work. A smaller machine would do.',
    advice: 'Run it on a smaller machine, so that the large one is free for large jobs.',
    severity: 'info',
    scope: 'job',
    when: {
      node_cores: { at_least: 32 },
      runtime_seconds: { at_least: '24h' },
      largest_peak_share: { below: '5%' },
      cpu_mean_cores: { at_least: 0.1 },
    },
    for: '10m',
    unless_idle: rest('all'),
  },
  {
    name: 'vampire',
    says: 'starts very many short processes that add up',
    explanation:
      'Processes of the user that begin and end between two looks at the node number at least 100 a minute, and together take at least 10 % of its cores, for 10 minutes. No single one is seen in a list of processes.',
    advice: 'Do the same work in fewer, longer processes: each start costs more than it seems.',
    scope: 'user',
    when: {
      short_processes_per_minute: { at_least: 100 },
      short_cpu_of_node: { at_least: '10%' },
    },
    for: '10m',
    unless_idle: rest('cores'),
  },
  {
    name: 'zero-gpu',
    says: 'holds GPUs and does not use them at all',
    explanation:
      'The job has held GPUs for an hour, and none of them did anything for it in any look. Told for all its GPUs together: one busy GPU among idle ones is not found.',
    advice: 'Give the GPUs back, or check that the program sees them.',
    scope: 'job',
    when: { gpus_held: { at_least: 1 }, gpu_of_held: { at_most: 0 } },
    for: '60m',
    unless_idle: rest('gpus'),
  },
  {
    name: 'zero-gpu-again',
    says: 'still holds GPUs and does not use them at all',
    explanation: 'The same as zero-gpu, after 105 minutes.',
    advice: 'Give the GPUs back now: sites end such jobs after 2 hours.',
    scope: 'job',
    when: { gpus_held: { at_least: 1 }, gpu_of_held: { at_most: 0 } },
    for: '105m',
    unless_idle: rest('gpus'),
  },
  {
    name: 'zero-gpu-act',
    says: 'has held GPUs for 2 hours without using them at all',
    explanation:
      'The same as zero-gpu, after 2 hours. jobmeter only tells: what is done about it is for the administrator.',
    advice: 'The job may be ended by the administrator.',
    severity: 'critical',
    scope: 'job',
    when: { gpus_held: { at_least: 1 }, gpu_of_held: { at_most: 0 } },
    for: '120m',
    unless_idle: rest('gpus'),
  },
  {
    name: 'low-gpu-efficiency',
    says: 'uses little of the GPU time that is asked for',
    explanation:
      'In the last 7 days the jobs of the user asked for at least 50 GPU-hours and used a quarter of them at most.',
    advice: 'Ask for fewer GPUs, or find out what the jobs wait for.',
    scope: 'history',
    over: '7d',
    when: { asked_gpu_hours: { at_least: 50 }, gpu_of_request: { at_most: '25%' } },
    unless_idle: rest('gpus'),
  },
  {
    name: 'low-cpu-efficiency',
    says: 'uses too little of the CPU time that is asked for',
    explanation:
      'In the last 7 days the jobs of the user asked for at least 50 CPU-hours and used 60 % of them at most.',
    advice: 'Ask for fewer cores.',
    scope: 'history',
    over: '7d',
    when: { asked_cpu_hours: { at_least: 50 }, cpu_of_request: { at_most: '60%' } },
    unless_idle: rest('cores'),
  },
  {
    name: 'excess-memory',
    says: 'asks for far more memory than is used',
    explanation:
      'In the last 7 days the jobs of the user used 35 % at most of the memory that they asked for: in all, in the mean and in the median of the jobs. Only of jobs that asked for more than the part of the memory that goes with their cores. Whether a job was killed for lack of memory is not known here.',
    advice: 'Ask for the peak and a margin: jobmeter reports shows it.',
    scope: 'history',
    over: '7d',
    when: {
      asked_memory_of_fair: { above: 1 },
      memory_of_request: { at_most: '35%' },
      memory_of_request_mean: { at_most: '35%' },
      memory_of_request_median: { at_most: '35%' },
    },
    unless_idle: rest('memory'),
  },
  {
    name: 'excess-time',
    says: 'asks for far more time than is used',
    explanation:
      'In the last 7 days the jobs of the user that are over took less than 20 % of the time that they asked for: in all, in the mean and in the median of the jobs. Schedulers plan by what is asked for, so such jobs wait longer than they must.',
    advice: 'Ask for less time: jobs that ask for less start sooner.',
    severity: 'info',
    scope: 'history',
    over: '7d',
    when: {
      time_of_request: { below: '20%' },
      time_of_request_mean: { below: '20%' },
      time_of_request_median: { below: '20%' },
    },
    unless_idle: rest('cores'),
  },
  {
    name: 'serial-on-many',
    says: 'asked for several cores and uses one',
    explanation:
      'The job asked for more than one core, has run for an hour, and has used between 0.85 and 1 core in the mean: it is serial.',
    advice: 'Ask for one core, or tell the program how many threads to use.',
    scope: 'job',
    when: {
      asked_cpus: { above: 1 },
      cpu_mean_cores: { at_least: 0.85, at_most: 1 },
      runtime_seconds: { at_least: '1h' },
    },
    for: '10m',
    unless_idle: rest('cores'),
  },
  {
    name: 'cores-per-gpu',
    says: 'asked for many cores for each GPU',
    explanation:
      'The job asked for more than 18 cores for each GPU. GPUs of the node cannot be given to others when no cores are left for them.',
    advice: 'Ask for fewer cores for each GPU.',
    severity: 'info',
    scope: 'job',
    when: { asked_cpus_per_gpu: { above: 18 } },
    for: '10m',
    unless_idle: rest('cores'),
  },
  {
    name: 'gpu-too-powerful',
    says: 'would do with a smaller GPU',
    explanation:
      'The job has run for an hour, uses its GPUs 15 % at most, though it uses them, with 10 GB of GPU memory and 32 GB of memory for each GPU at most.',
    advice: 'Ask for a smaller GPU, or a part of one.',
    severity: 'info',
    scope: 'job',
    when: {
      runtime_seconds: { at_least: '1h' },
      gpu_mean_of_held: { above: 0, at_most: '15%' },
      gpu_memory_peak_bytes: { at_most: 10 * gb },
      memory_peak_per_gpu_bytes: { at_most: 32 * gb },
    },
    for: '10m',
    unless_idle: rest('gpus'),
  },
  {
    name: 'low-load',
    enabled: false,
    says: 'is alone on the node and leaves it mostly idle',
    explanation:
      'The job is alone on its node (all others take less than 5 % of the cores) and the load has been below 0.85 for each core for 10 minutes. Wrong on an idle node too, but only where whole nodes are given to jobs: it is switched off.',
    advice: 'Use all cores of the node, or ask for a part of it.',
    severity: 'info',
    scope: 'job',
    when: {
      runtime_seconds: { above: 600 },
      others_cpu_of_node: { below: '5%' },
      node_load_of_cores: { below: '85%' },
    },
    for: '10m',
    unless_idle: false,
  },
  {
    name: 'excessive-load',
    enabled: false,
    says: 'is alone on the node and overloads it',
    explanation:
      'The job is alone on its node (all others take less than 5 % of the cores) and the load has been above 1.2 for each core for 10 minutes: it runs more threads than there are cores. Only where whole nodes are given to jobs: it is switched off.',
    advice: 'Start as many threads as there are cores.',
    severity: 'info',
    scope: 'job',
    when: {
      runtime_seconds: { above: 600 },
      others_cpu_of_node: { below: '5%' },
      node_load_of_cores: { above: '120%' },
    },
    for: '10m',
    unless_idle: rest('cores'),
  },
  {
    name: 'inefficient',
    enabled: false,
    says: 'uses little of all that it asked for',
    explanation:
      'The job uses less than 10 % of the CPU time that it asked for, and its peak of memory is below 50 % of what it asked for. Jobs that wait for others look the same: it is switched off.',
    advice: 'Ask for less.',
    severity: 'info',
    scope: 'job',
    when: { cpu_of_request: { below: '10%' }, memory_of_request: { below: '50%' } },
    for: '1h',
    unless_idle: rest('all'),
  },
]
