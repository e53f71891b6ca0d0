import { basename, resolve } from 'node:path'
import { whyNot } from '../../model/reading.ts'
import { epochFigure, epochNote } from '../../render/plot/epoch-figure.ts'
import { plotPages } from '../../render/plot/plot-page.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { gatherEpochs } from '../../service/gather-epochs.ts'
import { UserError } from '../../service/user-error.ts'
import { realSystem } from '../../system/real.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions } from '../command/define.ts'
import { pageScript, readPlotly } from '../reports/page-script.ts'

const definition = defineCommand({
  name: 'plot-epochs',
  aliases: [],
  summary: 'Draws what a training used over its steps, as a page that opens in any browser.',
  usage: 'plot-epochs DIR [options]',
  description:
    'Reads epoch_0.csv, epoch_1.csv … of ResourceMonitorCallback. The page needs no network and can be passed on alone. Of a folder with several runs it shows the last.',
  arguments: [
    { name: 'dir', required: true, says: 'the folder with the CSV files, such as resource_logs' },
  ],
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      default: 'resource_timeline.html',
      says: 'where to put the page',
    },
    format: globalOptions.format,
  },
  examples: [
    'jobmeter plot-epochs resource_logs',
    'jobmeter plot-epochs resource_logs -o run.html',
  ],
})

export const execute = commandAction(definition, ({ options, arguments: { dir }, console }) => {
  const system = realSystem({ ownsProcess: false })
  const timeline = gatherEpochs(system, dir)
  const source = new TextDecoder().decode(readPlotly(system).bytes)
  const page = plotPages({ kind: 'inside', source }, pageScript(system, 'plot'))
  const parts = page({
    title: `Training in ${basename(resolve(dir))}`,
    note: epochNote(timeline),
    pictureName: basename(options.output).replace(/\.html?$/i, ''),
    canAlign: false,
    figure: epochFigure(timeline),
  })
  const saved = system.files.save(options.output, parts, 'page')
  if (saved.kind !== 'ok') throw new UserError(`${whyNot(saved)}: not written`)
  const epochs = timeline.epochs.length
  const rows = timeline.epochs.reduce((sum, { steps }) => sum + steps.length, 0)
  const written = { page: options.output, epochs, rows, earlier_rows: timeline.earlierRows }
  if (options.format === 'json') console.print(`${jsonText(written, 2)}\n`)
  else console.print(`${options.output}: ${epochNote(timeline)}\n`)
  return 0
})
