/** What runs in a plot's page. Plain JavaScript for browsers; it draws the figure that stands in the page. */
export const plotScript = String.raw`'use strict'
;(() => {
  const page = JSON.parse(document.getElementById('page').textContent)
  const plot = document.getElementById('plot')
  const align = document.getElementById('align')
  const dark = matchMedia('(prefers-color-scheme: dark)')
  document.title = page.title
  document.querySelector('h1').textContent = page.title
  document.getElementById('note').textContent = page.note

  const axisNames = Object.keys(page.figure.layout).filter((name) => /^[xy]axis/.test(name))

  function colours() {
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

  function layout() {
    const whole = {
      ...page.figure.layout,
      autosize: true,
      font: { family: 'system-ui, sans-serif', size: 13 },
      hoverlabel: { font: {}, namelength: -1 },
      modebar: {},
    }
    for (const [path, value] of Object.entries(colours())) {
      const steps = path.split('.')
      const last = steps.pop()
      let place = whole
      for (const step of steps) place = place[step] = { ...place[step] }
      place[last] = value
    }
    return whole
  }

  const picture = (format) => Plotly.downloadImage(plot, {
    format, filename: page.pictureName, width: plot.clientWidth, height: plot.clientHeight, scale: format === 'png' ? 2 : 1,
  })
  const arrow = { width: 24, height: 24, path: 'M11 3h2v9l3-3 1.4 1.4L12 15.8l-5.4-5.4L8 9l3 3zM4 19h16v2H4z' }
  const config = {
    responsive: true,
    displayModeBar: true,
    displaylogo: false,
    showSendToCloud: false,
    plotlyServerURL: '',
    scrollZoom: true,
    modeBarButtonsToRemove: ['toImage', 'select2d', 'lasso2d'],
    modeBarButtonsToAdd: [
      { name: 'png', title: 'Save as PNG', icon: { ...arrow }, click: () => picture('png') },
      { name: 'svg', title: 'Save as SVG', icon: { ...arrow }, click: () => picture('svg') },
    ],
  }

  Plotly.newPlot(plot, page.figure.data, layout(), config).then(() => plot.dataset.drawn = 'yes')
  dark.addEventListener('change', () => Plotly.relayout(plot, colours()))

  if (page.canAlign) {
    align.hidden = false
    const clock = page.figure.layout.xaxis.title.text
    const times = page.figure.data.map((trace) => trace.x)
    const starts = page.figure.data.map((trace) => trace.meta)
    const lines = starts.flatMap((start, index) => (start === undefined ? [] : [index]))
    const others = starts.flatMap((start, index) => (start === undefined ? [index] : []))
    align.addEventListener('click', () => {
      const aligned = align.getAttribute('aria-pressed') !== 'true'
      align.setAttribute('aria-pressed', String(aligned))
      const x = lines.map((index) => aligned ? times[index].map((time) => (time - starts[index]) / 1000) : times[index])
      if (others.length > 0) Plotly.restyle(plot, { visible: aligned ? false : true }, others)
      Plotly.update(plot, { x }, {
        'xaxis.type': aligned ? 'linear' : 'date',
        'xaxis.title.text': aligned ? 'Seconds since the start of each' : clock,
        'xaxis.hoverformat': aligned ? ',.1f' : '%Y-%m-%d %H:%M:%S',
        'xaxis.autorange': true,
      }, lines)
    })
  }
})()
`
