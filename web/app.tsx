import 'virtual:colours.css'
import 'virtual:parts.css'
import './style/base.css'
import './style/parts.css'
import './style/shell.css'
import { effect } from '@preact/signals'
import { render, type ComponentType } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { followNews } from './live/news.ts'
import { findMe, me } from './me.ts'
import { pageAt, type PageId } from './pages.ts'
import { Shell } from './parts/shell.tsx'
import { path } from './route.ts'

/** A page is loaded when somebody goes there. */
type Page = ComponentType<{ readonly id: string }>
const page = (load: () => Promise<{ default: Page }>): Page => lazy(load)

const drawn: Readonly<Record<PageId, Page>> = {
  home: page(() => import('./pages/home.tsx')),
  jobs: page(() => import('./pages/jobs.tsx')),
  job: page(() => import('./pages/job.tsx')),
  compare: page(() => import('./pages/compare.tsx')),
  workflows: page(() => import('./pages/workflows.tsx')),
  workflow: page(() => import('./pages/workflow.tsx')),
  nodes: page(() => import('./pages/nodes.tsx')),
  node: page(() => import('./pages/node.tsx')),
  'node-job': page(() => import('./pages/node-job.tsx')),
  usage: page(() => import('./pages/usage.tsx')),
  hogs: page(() => import('./pages/hogs.tsx')),
  reservations: page(() => import('./pages/reservations.tsx')),
  alerts: page(() => import('./pages/alerts.tsx')),
}
const SignIn = page(() => import('./pages/sign-in.tsx'))
const NotFound = page(() => import('./pages/not-found.tsx'))

function App() {
  const found = pageAt(path.value)
  const Page = me.value === null ? SignIn : found === undefined ? NotFound : drawn[found.id]
  return (
    <Shell>
      <Suspense fallback={<p class="loading">Loading…</p>}>
        <Page key={path.value} id={found?.about ?? ''} />
      </Suspense>
    </Shell>
  )
}

void findMe()
let stop: (() => void) | undefined
effect(() => {
  if (me.value) stop ??= followNews()
  else if (me.value === null) {
    stop?.()
    stop = undefined
  }
})

const root = document.querySelector('#app')
if (root !== null) render(<App />, root)
