import { Empty } from './empty.tsx'

/** Says why nothing is known of nodes, and what would bring something. */
export function NoNodes({ why }: { readonly why: string | null }) {
  return (
    <>
      <Empty title="No node is watched yet" command="sudo jobmeter agent">
        An agent on each node sees every job there, whoever started it, and costs next to nothing.
        It shows here within a minute.
      </Empty>
      <div class="or-import">
        <Empty title="Or bring what another tool saw" command="jobmeter import sonar sonar-files/">
          What Sonar wrote, and what Slurm accounts for, can be imported and asked like the rest.
          {why !== null && <span class="why-none"> {sentence(why)}</span>}
        </Empty>
      </div>
    </>
  )
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
