/** Which jobs are alike: those of one requirement, or whose names differ in numbers only. */
export function jobGroup(name: string, requirementsName: string | null): string {
  return requirementsName ?? name.replace(/\d+(\.\d+)?/g, '#')
}
