/**
 * Loaded before the program with `--require`: says of each file of the program, when it ends, whether V8 took the code
 * that was kept for it, as a list in the file that $SPY names.
 */
export const codeSpy = `
  const vm = require('node:vm')
  const taken = []
  vm.Script = class extends vm.Script {
    constructor(source, options) {
      super(source, options)
      taken.push(options.cachedData !== undefined && this.cachedDataRejected === false)
    }
  }
  process.on('exit', () => require('node:fs').writeFileSync(process.env.SPY, JSON.stringify(taken)))`
