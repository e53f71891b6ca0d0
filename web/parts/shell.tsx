import type { ComponentChildren } from 'preact'
import { openKeyList } from '../keys.ts'
import { me, signOut } from '../me.ts'
import { KeyList } from './key-list.tsx'
import { LinkState } from './link-state.tsx'
import { BrandIcon } from './icons.tsx'
import { PagesMenu } from './pages-menu.tsx'
import { Search } from './search.tsx'
import { ThemeButton } from './theme-button.tsx'

/** What stands around every page. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const known = me.value
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="bar">
        <div>
          <a class="brand" href="/" aria-label="jobmeter, Home">
            <BrandIcon />
            <span>jobmeter</span>
          </a>
          {known !== null && <PagesMenu />}
          <div class="tools">
            {known !== null && (
              <>
                <Search />
                <LinkState />
              </>
            )}
            <ThemeButton />
            {known && (
              <span class="who" title={`${known.user}, ${known.role}`}>
                {known.user}
              </span>
            )}
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer class="foot">
        <span>
          jobmeter {known?.version} {known && <>on {known.host}</>}
        </span>
        <span>100% is one core; 1 GB is 1024³ bytes</span>
        <button type="button" onClick={openKeyList}>
          Keys
        </button>
        <a href="/api">API</a>
        {known && (
          <button type="button" onClick={() => void signOut()}>
            Sign out
          </button>
        )}
      </footer>
      <KeyList />
      <div id="tip" hidden />
    </>
  )
}
