/**
 * In KDL each node is one thing, so people write `job` where the other formats have a list `jobs`.
 * Both work, and so do the names that other programs gave the relations.
 */
const singular: Readonly<Record<string, string>> = {
  job: 'jobs',
  file: 'files',
  user_datum: 'user_data',
  resource_requirement: 'resource_requirements',
  failure_handler: 'failure_handlers',
  slurm_scheduler: 'slurm_schedulers',
  action: 'actions',
  rule: 'rules',
  command: 'commands',
  parameter: 'parameters',
  variable: 'variables',
  exit_code: 'exit_codes',
  use_parameter: 'use_parameters',
  input_file: 'input_files',
  output_file: 'output_files',
  input_file_regex: 'input_file_regexes',
  output_file_regex: 'output_file_regexes',
  input_user_datum: 'input_user_data',
  output_user_datum: 'output_user_data',
  input_user_data_regex: 'input_user_data_regexes',
  output_user_data_regex: 'output_user_data_regexes',
  depends_on_job: 'depends_on',
  depends_on_jobs: 'depends_on',
  depends_on_regex: 'depends_on_regexes',
  depends_on_job_regex: 'depends_on_regexes',
  depends_on_job_regexes: 'depends_on_regexes',
  blocked_by_job: 'blocked_by',
  blocked_by_jobs: 'blocked_by',
  blocked_by_regex: 'blocked_by_regexes',
  job_name_regex: 'job_name_regexes',
  metric: 'metrics',
  mount: 'mounts',
  argument: 'arguments',
}

/** The key of the definition that a node's name stands for, among those possible where it is. */
export function keyOfNode(name: string, known: Readonly<Record<string, unknown>>): string {
  if (Object.hasOwn(known, name)) return name
  const plural = Object.hasOwn(singular, name) ? singular[name] : undefined
  return plural !== undefined && Object.hasOwn(known, plural) ? plural : name
}
