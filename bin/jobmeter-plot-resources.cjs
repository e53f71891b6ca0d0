#!/usr/bin/env node
'use strict'

// The name that people know the plots by; the same as `jobmeter plot-resources`.
process.argv.splice(2, 0, 'plot-resources')
module.exports = require('./jobmeter.cjs')
