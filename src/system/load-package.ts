/**
 * A package that jobmeter depends on, loaded when it is first needed and not before, in the midst of code that cannot
 * wait for a promise.
 */
export function loadPackage(name: string): unknown {
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url)(name)
}
