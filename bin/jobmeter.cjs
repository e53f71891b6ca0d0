#!/usr/bin/env node
'use strict'

// Plain old JavaScript: a Node too old for the rest must be able to read this and say so.
var found = process.versions.node.split('.').map(Number)

// What "engines" in package.json says: ^24.16 || >=26.1
function isNewEnough(major, minor) {
  if (major === 24) return minor >= 16
  if (major === 26) return minor >= 1
  return major > 26
}

// The first move into a cgroup after a quiet time waits some 10 ms until every CPU has taken note (an RCU grace
// period); moves soon after it do not. So one that changes nothing is made in the background, before the code that
// starts a job is even loaded: 3 ms of 45. Where it cannot be done nothing is lost but that time.
function warmUpCgroups() {
  var fs = require('node:fs')
  try {
    var place = /^0::(\/.*)$/m.exec(fs.readFileSync('/proc/self/cgroup', 'latin1'))[1]
    var tree = fs.existsSync('/sys/fs/cgroup/unified') ? '/sys/fs/cgroup/unified' : '/sys/fs/cgroup'
    var file = fs.openSync(tree + (place === '/' ? '' : place) + '/cgroup.procs', 'r+')
    fs.write(file, String(process.pid), function () {
      fs.closeSync(file)
    })
  } catch (error) {
    return
  }
}

function start() {
  var path = require('node:path')
  var built = path.join(__dirname, '../dist/cli/main.cjs')
  var argv = process.argv.slice(2)
  if (argv[0] === 'run') warmUpCgroups()
  // A checkout that was not built yet runs from its sources.
  if (!require('node:fs').existsSync(built))
    return require(path.join(__dirname, '../src/cli/main.ts')).main(argv)
  var purpose = /^[a-z-]{1,20}$/.test(argv[0]) ? argv[0] : 'other'
  return require('./load.cjs').createLoader(purpose)(built).main(argv)
}

if (isNewEnough(found[0], found[1])) {
  start()
} else {
  var needs = 'jobmeter needs Node 24.16 or newer of 24, or 26.1 or newer'
  var advice = 'install one, or in a checkout use npx jobmeter, which brings its own'
  process.stderr.write(needs + ' (this is v' + process.versions.node + '): ' + advice + '\n')
  process.exitCode = 1
}
