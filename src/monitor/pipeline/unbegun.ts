import { emptyUsage } from '../../model/usage.ts'
import { resourceUsageJson } from '../../render/record/profile-json.ts'
import type { TaskOrder, TaskResult } from './task-queue.ts'

/** The result of a task that is over without having begun. */
export function unbegun(
  { taskId, tool, script, params }: Pick<TaskOrder, 'taskId' | 'tool' | 'script' | 'params'>,
  status: TaskResult['status'],
  why: string,
): TaskResult {
  return {
    task_id: taskId,
    tool,
    script,
    params,
    start_time: null,
    end_time: null,
    duration_seconds: null,
    status,
    returncode: null,
    resource_usage: resourceUsageJson(emptyUsage(why)),
    detailed_profile: null,
    error: why,
    has_result: false,
    stdout: '',
    stderr: '',
  }
}
