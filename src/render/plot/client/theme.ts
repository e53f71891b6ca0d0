/** The colours that the reader prefers. Plain JavaScript for browsers, as all parts of the plot's script. */
export const themeScript = String.raw`
const page = JSON.parse(document.getElementById('page').textContent)
const plot = document.getElementById('plot')
const dark = matchMedia('(prefers-color-scheme: dark)')
const axisNames = Object.keys(page.figure.layout).filter((name) => /^[xy]axis/.test(name))

/** Figures are made in the colours of a light page; what follows the colour is how much shows through. */
const inTheme = (colour) => dark.matches && darkColours[colour?.slice(0, 7)] ? darkColours[colour.slice(0, 7)] + colour.slice(7) : colour

function traceColours(trace) {
  const changes = {}
  if (trace.line?.color) changes['line.color'] = inTheme(trace.line.color)
  if (trace.marker?.color) changes['marker.color'] = inTheme(trace.marker.color)
  if (trace.fillcolor) changes.fillcolor = inTheme(trace.fillcolor)
  return changes
}

function layoutColours() {
  const style = getComputedStyle(document.documentElement)
  const colour = (name) => style.getPropertyValue(name).trim()
  const changes = {
    paper_bgcolor: colour('--paper'),
    plot_bgcolor: colour('--paper'),
    'font.color': colour('--ink'),
    'hoverlabel.bgcolor': colour('--paper'),
    'hoverlabel.bordercolor': colour('--edge'),
    'hoverlabel.font.color': colour('--ink'),
    'modebar.color': colour('--quiet'),
    'modebar.activecolor': colour('--ink'),
    'modebar.bgcolor': 'rgba(0,0,0,0)',
  }
  for (const name of axisNames) {
    changes[name + '.gridcolor'] = dark.matches ? '#272c34' : '#eceef2'
    changes[name + '.linecolor'] = colour('--edge')
    changes[name + '.zeroline'] = false
  }
  return changes
}

/** A copy in which the values stand that the paths lead to. */
function changed(whole, changes) {
  const made = { ...whole }
  for (const [path, value] of Object.entries(changes)) {
    const steps = path.split('.')
    const last = steps.pop()
    let place = made
    for (const step of steps) place = place[step] = { ...place[step] }
    place[last] = value
  }
  return made
}
`
