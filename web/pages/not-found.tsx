import { path } from '../route.ts'
import { Title } from '../parts/title.tsx'

export default function NotFound() {
  return (
    <>
      <Title name="There is no such page" />
      <p class="lead">
        Nothing is at <code>{path.value}</code>. <a href="/">Home</a> shows what runs now,{' '}
        <a href="/jobs">Jobs</a> everything that ran.
      </p>
    </>
  )
}
